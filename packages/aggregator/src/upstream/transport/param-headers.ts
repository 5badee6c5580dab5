import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import { quoteValue } from '#servers/protocol/quote-value'

interface Declaration {
  path: readonly string[]
  header: unknown
  type?: unknown
}

const declarationsOf = oncePer((schema: JsonObject) => declarationsIn(schema, []))

/** Visible ASCII but the colon (RFC 9110, 5.6.2, is narrower; the revision names these). */
const headerName = /^[\x21-\x39\x3b-\x7e]+$/
const primitives: readonly unknown[] = ['string', 'integer', 'boolean']

/** Why clients must leave out a tool for its headers; undefined if they need not. */
export function headerFault({ inputSchema }: JsonObject): string | undefined {
  if (!isJsonObject(inputSchema)) return undefined
  const seen = new Set<string>()
  for (const { path, header, type } of declarationsOf(inputSchema)) {
    const of = `x-mcp-header of ${path.join('.')}`
    if (typeof header !== 'string' || !headerName.test(header))
      return `${of} is ${quoteValue(header)}, which is no name of a header`
    if (!primitives.includes(type)) return `${of} is for a text, a whole number or true and false`
    if (seen.has(header.toLowerCase())) return `${of} is declared twice: ${quoteValue(header)}`
    seen.add(header.toLowerCase())
  }
  return undefined
}

/**
 * Headers that carry parameters of a call, declared by `x-mcp-header` in the tool's schema; only
 * through chains of `properties`, as revision 2026-07-28 specifies.
 */
export function paramHeaders(tool: JsonObject | undefined, args: unknown): Record<string, string> {
  const schema = tool?.['inputSchema']
  if (!isJsonObject(schema)) return {}
  const headers: Record<string, string> = {}
  for (const { path, header } of declarationsOf(schema)) {
    if (typeof header !== 'string') continue
    const value = path.reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), args)
    const text = textOf(value)
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encoded(text)
  }
  return headers
}

/** Declarations in deeper properties are ignored. */
const maxDepth = 16

function declarationsIn(schema: JsonObject, path: readonly string[]): Declaration[] {
  const { properties, type, 'x-mcp-header': header } = schema
  const declarations = header !== undefined && path.length > 0 ? [{ path, header, type }] : []
  if (!isJsonObject(properties) || path.length >= maxDepth) return declarations
  const inside = Object.entries(properties).flatMap(([key, child]) =>
    isJsonObject(child) ? declarationsIn(child, [...path, key]) : [],
  )
  return [...declarations, ...inside]
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  const isExact =
    Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  return typeof value === 'number' && isExact ? String(value) : undefined
}

/** Values that a header cannot hold are sent as base64 between markers. */
function encoded(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  if (isPlain && !/^=\?base64\?.*\?=$/.test(text)) return text
  return `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

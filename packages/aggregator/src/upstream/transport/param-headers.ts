import { isJsonObject, type JsonObject } from '#servers/protocol/message'

interface Declaration {
  path: readonly string[]
  header: string
}

const declared = new WeakMap<object, readonly Declaration[]>()

/**
 * Headers that carry parameters of a call, declared by `x-mcp-header` in the tool's schema; only
 * through chains of `properties`, as revision 2026-07-28 specifies.
 */
export function paramHeaders(tool: JsonObject | undefined, args: unknown): Record<string, string> {
  const schema = tool?.['inputSchema']
  if (!isJsonObject(schema)) return {}
  let declarations = declared.get(schema)
  if (declarations === undefined) {
    declarations = declarationsIn(schema, [])
    declared.set(schema, declarations)
  }
  const headers: Record<string, string> = {}
  for (const { path, header } of declarations) {
    const value = path.reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), args)
    const text = textOf(value)
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encoded(text)
  }
  return headers
}

/** Declarations in deeper properties are ignored. */
const maxDepth = 16

function declarationsIn(schema: JsonObject, path: readonly string[]): Declaration[] {
  const { properties, 'x-mcp-header': header } = schema
  const declarations = typeof header === 'string' && path.length > 0 ? [{ path, header }] : []
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

import { estimateTokens } from '@pith-mcp/paginator'
import type { Tool } from './transcript.ts'

export type Members = Record<string, unknown>

/** The members of a value; none of another value. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A count of tokens; undefined for another value. */
export const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined

/** Milliseconds since 1970; NaN without one. */
export const timeOf = (record: Members): number => Date.parse(String(record['timestamp']))

/** An image of the largest size that models do not reduce: 1,568 pixels a side, 750 a token. */
const imageTokens = 1_600

/** Members with data in Base64, such as that of documents and audio. */
const encoded = ['data', 'blob', 'file_data', 'image_url']

/** Estimated tokens of content in the forms of the Messages API, the Responses API and MCP. */
export function tokensOf(content: unknown): number {
  if (typeof content === 'string') return estimateTokens(content)
  if (Array.isArray(content)) return content.reduce((sum, block) => sum + tokensOf(block), 0)
  const block = membersOf(content)
  const type = textOf(block['type']) ?? ''
  if (type.includes('image') || encoded.some((key) => typeof block[key] === 'string'))
    return imageTokens
  if (textOf(membersOf(block['source'])['data'])) return imageTokens
  const known = block['text'] ?? block['content']
  if (known !== undefined) return tokensOf(known)
  return content === undefined || content === null ? 0 : estimateTokens(JSON.stringify(content))
}

/** `server` is that of the client; a meta-tool `call` names another in its arguments. */
export function calledTool(server: string | undefined, tool: string, args: unknown): Tool {
  const { server: named, module, tool: inner, tool_name } = membersOf(args)
  const behind = textOf(named) ?? textOf(module)
  const called = textOf(inner) ?? textOf(tool_name)
  return server !== undefined && tool === 'call' && behind !== undefined && called !== undefined
    ? { server: behind, tool: called, via: server }
    : { server, tool }
}

/** Clients name tools `mcp__server__tool`. */
export function splitName(name: string, prefix: string): [string | undefined, string] {
  const start = name.startsWith(prefix) ? prefix.length : 0
  const end = name.indexOf('__', start)
  return (prefix !== '' && start === 0) || end <= start
    ? [undefined, name]
    : [name.slice(start, end), name.slice(end + 2)]
}

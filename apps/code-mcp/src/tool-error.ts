import { CodeError } from '@pith-mcp/code'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { CallError, errorText as otherErrorText } from '@pith-mcp/server-kit/tools'
import { callText, hasPagingNames, inPagingNames, type NextCall } from './render/next-call.ts'

/** True for an error of the caller, not of this server. */
export const isExpected = (error: unknown): boolean =>
  error instanceof CodeError || error instanceof CallError || error instanceof UsageError

/** The text of a failed call for the model: the problem, the remedy, and a call that helps. */
export function errorText(error: unknown, args: Readonly<Record<string, unknown>>): string {
  // No folder that may be served.
  if (error instanceof UsageError) return error.message
  if (!(error instanceof CodeError)) return otherErrorText(error)
  const next = nextCall(error, args)
  return `${error.message} ${error.remedy}${next ? `\n[next: ${callText(next)}]` : ''}`
}

/** The call that helps after an error, if there is one. */
export function nextCall(
  error: CodeError,
  args: Readonly<Record<string, unknown>>,
): NextCall | undefined {
  const next = callAfter(error, args)
  const isPaging = next !== undefined && /_chunk$/.test(next.tool) && hasPagingNames(args)
  return isPaging ? { ...next, args: inPagingNames(next.args) } : next
}

function callAfter(
  { code, line }: CodeError,
  args: Readonly<Record<string, unknown>>,
): NextCall | undefined {
  const text = (name: string, paging: string): string | undefined => {
    const value = args[name] ?? args[paging]
    return value === undefined ? undefined : String(value)
  }
  // A page token that works alone begins with an id.
  const [, tokenId] = /^["'`\s]*(.+)@/s.exec(text('page_token', 'pageToken') ?? '') ?? []
  const id = tokenId ?? (text('chunk_id', 'chunkId') ?? '').replace(/@[\d.a-z]*$/i, '')
  const file = tokenId ? tokenId.split('#')[0] : (text('file_path', 'filePath') ?? id.split('#')[0])
  const name = text('function', 'functionSignature') ?? id.split('#')[1] ?? ''
  switch (code) {
    case 'symbol_not_found':
      return { tool: 'list_functions_in_file', args: { file_path: file, query: name || undefined } }
    case 'no_symbols':
      return { tool: 'get_chunk', args: { chunk_id: file, start_line: 1 } }
    case 'not_text':
      return { tool: 'find_file', args: { pattern: file } }
    case 'content_changed':
      return id === ''
        ? {
            tool: 'get_function_chunk',
            args: { file_path: file, function: name, start_line: line },
          }
        : { tool: 'get_chunk', args: { chunk_id: id, start_line: line } }
    case 'not_found':
      return { tool: 'find_file', args: { pattern: file?.split('/').at(-1) ?? file } }
    default:
      return undefined
  }
}

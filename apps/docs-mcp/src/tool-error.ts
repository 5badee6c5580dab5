import { DocsError, type DocsErrorCode } from '@pith-mcp/docs'
import { callText } from './render/next-call.ts'

/** The call that helps after an error, where there is one. */
const helpfulTool: Partial<Record<DocsErrorCode, string>> = {
  section_not_found: 'get_doc_toc',
  page_changed: 'get_doc_toc',
}

/** What the model is told about a failed call: what happened, what to do, and the next call. */
export function errorText(error: unknown, args: Readonly<Record<string, unknown>>): string {
  if (!(error instanceof DocsError))
    return `The call failed: ${error instanceof Error ? error.message : String(error)}.`
  const tool = helpfulTool[error.code]
  const url = args['url']
  const next =
    tool && typeof url === 'string' ? `\n[next: ${callText(tool, { url: url.split('#')[0] })}]` : ''
  return `${error.message} ${error.remedy}${next}`
}

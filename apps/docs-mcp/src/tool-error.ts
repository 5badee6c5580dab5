import { DocsError, type DocsErrorCode } from '@pith-mcp/docs'
import { CallError } from './call-error.ts'
import { callText } from './render/next-call.ts'

/** The call that helps after an error, where there is one. */
const helpfulTool: Partial<Record<DocsErrorCode, string>> = {
  section_not_found: 'get_doc_toc',
  page_changed: 'get_doc_toc',
}

/** True for what is the caller's, or of the web: not a defect of ours. */
export const isExpected = (error: unknown): boolean =>
  error instanceof DocsError || error instanceof CallError

/** What the model is told about a failed call: what happened, what to do, and the next call. */
export function errorText(
  error: unknown,
  args: Readonly<Record<string, unknown>>,
  tools: ReadonlySet<string>,
): string {
  if (error instanceof CallError) return `${error.message} ${error.remedy}`
  if (!(error instanceof DocsError))
    return `The call failed: ${error instanceof Error ? error.message : String(error)}.`
  const tool = helpfulTool[error.code]
  const url = args['url']
  const next =
    tool !== undefined && tools.has(tool) && typeof url === 'string'
      ? `\n[next: ${callText(tool, { url: url.split('#')[0] })}]`
      : ''
  return `${error.message} ${error.remedy}${next}`
}

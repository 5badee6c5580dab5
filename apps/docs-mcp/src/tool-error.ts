import { DocsError, type DocsErrorCode } from '@pith-mcp/docs'
import { CallError, callText, errorText as otherErrorText } from '@pith-mcp/server-kit/tools'
import { flagHint } from './flag-hint.ts'

/** The tool that helps after an error. */
const helpfulTool: Partial<Record<DocsErrorCode, string>> = {
  section_not_found: 'get_doc_toc',
  page_changed: 'get_doc_toc',
}

/** True for an error of the caller or of a site, not of this server. */
export const isExpected = (error: unknown): boolean =>
  error instanceof DocsError || error instanceof CallError

/** The text of a failed call for the model: the problem, the remedy, and a call that helps. */
export function errorText(
  error: unknown,
  args: Readonly<Record<string, unknown>>,
  tools: ReadonlySet<string>,
): string {
  if (!(error instanceof DocsError)) return otherErrorText(error)
  const tool = helpfulTool[error.code]
  const url = args['url']
  const next =
    tool !== undefined && tools.has(tool) && typeof url === 'string'
      ? `\n[next: ${callText(tool, { url: url.split('#')[0] })}]`
      : ''
  return `${error.message} ${error.remedy}${flagHint(error)}${next}`
}

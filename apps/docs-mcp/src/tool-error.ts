import { DocsError } from '@pith-mcp/docs'
import { CallError, callText, errorText as otherErrorText } from '@pith-mcp/server-kit/tools'
import { flagHint } from './flag-hint.ts'

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
  const isOfSections = error.code === 'section_not_found' || error.code === 'page_changed'
  const url = args['url']
  const next =
    isOfSections && tools.has('get_doc_toc') && typeof url === 'string'
      ? `\n[next: ${callText('get_doc_toc', { url: url.split('#')[0] })}]`
      : ''
  return `${error.message} ${error.remedy}${flagHint(error)}${next}`
}

import type { GuideContents } from '@pith-mcp/docs'
import { amount, callText } from '@pith-mcp/server-kit/tools'
import { fenced } from './fence.ts'

/** The contents of a guide: its pages, each with the end of its URL. */
export function renderGuide(contents: GuideContents, below?: string): string {
  const { url, pages, markdown, nextPage, folded, more } = contents
  return [
    `[guide at ${new URL('.', url).href} · ${amount(pages.length, 'page')}]`,
    fenced(markdown.trimEnd()),
    ...(nextPage === undefined
      ? []
      : [`[next: ${callText('get_doc_toc', { url, section: below, page: nextPage })}]`]),
    ...(folded > 0 ? [`[+n pages below: ${callText('get_doc_toc', { url, section: '…' })}]`] : []),
    ...(more ? ['[not all pages could be listed]'] : []),
  ].join('\n')
}

import type { GuideContents, Toc } from '@pith-mcp/docs'
import { amount, callText, count } from '@pith-mcp/server-kit/tools'
import { fenced, linesOf, originText, shortTitle } from './reply-text.ts'

export function renderToc(toc: Toc, section?: string, parameter = 'section'): string {
  const { url, title, entries, tokens, list, removed, origin } = toc
  const folded = / \+\d+(?: (?:changed|new))?$/m.test(list.markdown)
  const changed = entries.some(({ change }) => change !== undefined)
  return linesOf(
    `[${shortTitle(title)} · ${amount(entries.length, 'section')}, page ~${count(tokens)} tokens with code · ${originText(origin)}]`,
    fenced(list.markdown.trimEnd()),
    list.nextPage !== undefined &&
      `[next: ${callText('get_doc_toc', { url, section, page: list.nextPage })}]`,
    '[~tokens with subsections/of its own text; c code blocks, t tables]',
    folded && `[+n sections below: ${callText('get_doc_toc', { url, section: '…' })}]`,
    changed && '[changed, new: since you last read the section]',
    removed.length > 0 &&
      `[removed since you last read the page: ${shortTitle(removed.slice(0, 10).join(', '))}]`,
    `[to read a section by title or {id}: ${callText('get_doc_section', { url, [parameter]: '…' })}]`,
  )
}

/** The contents of a guide: its pages, each with the end of its URL. */
export function renderGuide(contents: GuideContents, below?: string): string {
  const { url, pages, markdown, nextPage, folded, more } = contents
  return linesOf(
    `[guide at ${new URL('.', url).href} · ${amount(pages.length, 'page')}]`,
    fenced(markdown.trimEnd()),
    nextPage !== undefined &&
      `[next: ${callText('get_doc_toc', { url, section: below, page: nextPage })}]`,
    folded > 0 && `[+n pages below: ${callText('get_doc_toc', { url, section: '…' })}]`,
    more && '[not all pages could be listed]',
  )
}

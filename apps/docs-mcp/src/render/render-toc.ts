import type { Toc } from '@pith-mcp/docs'
import { callText, count, shortTitle } from './next-call.ts'

export function renderToc(toc: Toc, section?: string): string {
  const { url, title, entries, tokens, list } = toc
  const folded = / \+\d+$/m.test(list.markdown)
  return [
    `[${shortTitle(title)} · ${count(entries.length)} sections, page ~${count(tokens)} tokens with code]`,
    '',
    list.markdown.trimEnd(),
    '',
    ...(list.nextPage === undefined
      ? []
      : [`[next: ${callText('get_doc_toc', { url, section, page: list.nextPage })}]`]),
    ...(folded ? [`[+n sections below: ${callText('get_doc_toc', { url, section: '…' })}]`] : []),
    `[read one by title or {id}: ${callText('get_doc_section', { url, section: '…' })}]`,
  ].join('\n')
}

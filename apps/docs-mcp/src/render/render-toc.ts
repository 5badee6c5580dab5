import type { Origin, Toc } from '@pith-mcp/docs'
import { fenced } from './fence.ts'
import { callText, count, shortTitle } from './next-call.ts'
import { originText } from './origin.ts'

export function renderToc(
  toc: Toc & { gone: string[]; origin: Origin },
  section?: string,
  parameter = 'section',
): string {
  const { url, title, entries, tokens, list, gone, origin } = toc
  const folded = / \+\d+(?: (?:changed|new))?$/m.test(list.markdown)
  const changed = entries.some(({ change }) => change !== undefined)
  return [
    `[${shortTitle(title)} · ${count(entries.length)} sections, page ~${count(tokens)} tokens with code · ${originText(origin)}]`,
    fenced(list.markdown.trimEnd()),
    ...(list.nextPage === undefined
      ? []
      : [`[next: ${callText('get_doc_toc', { url, section, page: list.nextPage })}]`]),
    '[~tokens with all below/of its own text; c code blocks, t tables]',
    ...(folded ? [`[+n sections below: ${callText('get_doc_toc', { url, section: '…' })}]`] : []),
    ...(changed ? ['[changed, new: since you read the section last]'] : []),
    ...(gone.length > 0
      ? [`[gone since you read the page: ${shortTitle(gone.slice(0, 10).join(', '))}]`]
      : []),
    `[read one by title or {id}: ${callText('get_doc_section', { url, [parameter]: '…' })}]`,
  ].join('\n')
}

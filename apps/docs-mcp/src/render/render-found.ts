import type { FindAnswer } from '@pith-mcp/docs'
import { callText } from '@pith-mcp/server-kit/tools'
import { position, remainder, rowsNote } from './render-excerpt.ts'
import { fenced, linesOf, nearText, originText, shortTitle } from './reply-text.ts'

/** `parameter` is the name of get_doc_section's parameter for a section. */
export function renderFound(answer: FindAnswer, parameter = 'section'): string {
  const { url, title, query, matches, searched, sections, near, origin } = answer
  if (sections.length === 0)
    return linesOf(
      `No section of “${shortTitle(title)}” contains a word of ${JSON.stringify(query.slice(0, 200))} (${searched} searched).`,
      `[next: ${callText('get_doc_toc', { url })}]`,
    )
  const texts = sections.map((section, at) => {
    const place = shortTitle([...section.path.slice(-2), section.title].join(' › '))
    const args = { url, [parameter]: section.id, include_code_blocks: section.includesCode }
    const from = at === 0 ? ` · ${originText(origin)}` : ''
    const { excerpt, missing } = section
    return linesOf(
      `[${place} · ${position(excerpt)}${from}]`,
      fenced(excerpt.markdown.trimEnd()),
      section.further.flatMap((next) => [
        `[further on · ${position(next)}]`,
        fenced(next.markdown.trim()),
      ]),
      missing.length > 0 &&
        `[elsewhere in the section: ${missing.slice(0, 10).map(shortTitle).join(', ')}]`,
      excerpt.start > 0 && `[to read from the beginning: ${callText('get_doc_section', args)}]`,
      remainder(excerpt, 'get_doc_section', args),
      parameter === 'section' && rowsNote(excerpt, url, section.id),
    )
  })
  const [next] = near
  const more =
    answer.bound === undefined || next === undefined
      ? matches > sections.length && '; the others match far less'
      : answer.bound === 'reply'
        ? `; next: ${callText('get_doc_section', { url, [parameter]: next.id })}`
        : `; raise ${answer.bound === 'maxLength' ? 'max_length' : 'max_sections'} for more`
  return linesOf(
    texts,
    near.length > 0 && `[also: ${near.map(nearText).join(', ')}]`,
    `[${sections.length} of ${matches} matching sections${more || ''}]`,
  )
}

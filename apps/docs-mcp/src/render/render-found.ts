import type { FindAnswer } from '@pith-mcp/docs'
import { callText } from '@pith-mcp/server-kit/tools'
import { position, remainder, rowsNote } from './render-excerpt.ts'
import { fenced, nearText, originText, shortTitle } from './reply-text.ts'

/** `parameter` is the name of get_doc_section's parameter for a section. */
export function renderFound(found: FindAnswer, parameter = 'section'): string {
  const { url, title, query, matches, searched, sections, near, origin } = found
  if (sections.length === 0)
    return [
      `No section of “${shortTitle(title)}” contains a word of ${JSON.stringify(query.slice(0, 200))} (${searched} searched).`,
      `[next: ${callText('get_doc_toc', { url })}]`,
    ].join('\n')
  const shown = sections.map((section, at) => {
    const place = shortTitle([...section.path.slice(-2), section.title].join(' › '))
    const args = { url, [parameter]: section.id, include_code_blocks: section.includesCode }
    const from = at === 0 ? ` · ${originText(origin)}` : ''
    return [
      `[${place} · ${position(section.excerpt)}${from}]`,
      fenced(section.excerpt.markdown.trimEnd()),
      ...section.further.flatMap((excerpt) => [
        `[further on · ${position(excerpt)}]`,
        fenced(excerpt.markdown.trim()),
      ]),
      ...(section.missing.length > 0
        ? [`[elsewhere in the section: ${section.missing.slice(0, 10).map(shortTitle).join(', ')}]`]
        : []),
      ...(section.excerpt.start > 0
        ? [`[to read from the beginning: ${callText('get_doc_section', args)}]`]
        : []),
      ...remainder(section.excerpt, 'get_doc_section', args),
      ...(parameter === 'section' ? rowsNote(section.excerpt, url, section.id) : []),
    ].join('\n')
  })
  const [next] = near
  const more =
    found.bound === undefined || next === undefined
      ? matches > sections.length && '; the others match far less'
      : found.bound === 'reply'
        ? `; next: ${callText('get_doc_section', { url, [parameter]: next.id })}`
        : `; raise ${found.bound === 'maxLength' ? 'max_length' : 'max_sections'} for more`
  return [
    ...shown,
    ...(near.length > 0 ? [`[also: ${near.map(nearText).join(', ')}]`] : []),
    `[${sections.length} of ${matches} matching sections${more || ''}]`,
  ].join('\n')
}

import type { FindAnswer, SectionMatch } from '@pith-mcp/docs'
import { amount, callText, count } from '@pith-mcp/server-kit/tools'
import { rowsNote } from './render-excerpt.ts'
import { fenced, linesOf, nearText, originText, shortTitle } from './reply-text.ts'

/**
 * `parameter` is the name of get_doc_section's parameter for a section; servers with another show the
 * heading of a section.
 */
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
    const { isWhole, missing, codeBlocksOmitted: omitted, nextPage: page } = section
    // Brackets and the middle of long titles are not in the line above the text.
    const isTold = parameter === 'section' && shortTitle(section.title) === section.title
    return linesOf(
      `[${place} · ${extent(section)}${from}]`,
      fenced(isTold ? section.markdown : withHeading(section)),
      missing.length > 0 &&
        `[elsewhere in the section: ${missing.slice(0, 10).map(shortTitle).join(', ')}]`,
      !isWhole && `[next: ${callText('get_doc_section', { ...args, page })}]`,
      omitted > 0 && `[${amount(omitted, 'code block')} left out: include_code_blocks=true]`,
      parameter === 'section' && !isWhole && rowsNote(section.markdown, url, section.id),
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

/** How much of a section is shown. */
const extent = ({ isWhole, markdown, tokens, total, totalTokens }: SectionMatch): string =>
  isWhole
    ? `${amount(total, 'character')}, ~${count(tokens)} tokens`
    : `${count(markdown.length)} of ${amount(total, 'character')}, ~${count(tokens)} of ${count(totalTokens)} tokens`

const withHeading = ({ heading, markdown }: SectionMatch): string =>
  heading === '' ? markdown : `${heading}\n\n${markdown}`

import type { Related, RelatedPage } from '@pith-mcp/docs'
import { amount, callText } from '@pith-mcp/server-kit/tools'
import { linesWithin } from './lines-within.ts'
import { fenced, linesOf, originText, shortTitle } from './reply-text.ts'

const groups: readonly [keyof Related, string][] = [
  ['previous', 'Before'],
  ['next', 'After'],
  ['up', 'Above'],
  ['seeAlso', 'See also'],
  ['similar', 'On the same subject'],
  ['linked', 'Linked from the text'],
  ['languages', 'In other languages'],
]

/** Limit of a group; a page of references has hundreds. */
const maxShown = 100

/** `section` is the one whose links were requested. */
export function renderRelated(related: Related, section?: string): string {
  const { url, title, origin } = related
  let omitted = related.linkedOmitted
  const listLines = groups.flatMap(([key, name]) => {
    const pages = related[key] as RelatedPage[]
    if (pages.length === 0) return []
    omitted += Math.max(0, pages.length - maxShown)
    const firstPages = pages.slice(0, maxShown)
    return [
      `${name}:`,
      ...firstPages.map((page) => `- ${shortTitle(page.title)} ${page.url}`.replace('-  ', '- ')),
    ]
  })
  const lines = [...listLines, ...recommendations(related)]
  const { guide, problem } = related
  const within = linesWithin(lines, 16_000)
  if (lines.length === 0 && guide === undefined && problem === undefined)
    return `No pages related to “${shortTitle(title)}” were found.\n[next: ${callText('get_doc_toc', { url })}]`
  return linesOf(
    `[from ${shortTitle(title)} · ${originText(origin)}]`,
    fenced(within.lines.join('\n')),
    within.omitted > 0 && `[${amount(within.omitted, 'more line')} omitted to fit the reply]`,
    guide !== undefined && `[contents of the guide: ${callText('get_doc_toc', { url: guide })}]`,
    problem !== undefined &&
      `[the request to the site failed: ${problem.replace(/[[\]\n]/g, ' ').slice(0, 300)}]`,
    omitted > 0 &&
      `[${amount(omitted, 'more linked page')}: pass a ${section === undefined ? '' : 'sub'}section to list its links]`,
  )
}

/** Limit of a group; further recommendations are very similar. */
const maxRecommended = 6

function recommendations({ recommended }: Related): string[] {
  const groups = [...new Set(recommended.map(({ group }) => group))]
  return groups.flatMap((group) => {
    const pages = recommended.filter((page) => page.group === group)
    const entries = pages.slice(0, maxRecommended).map(({ title, url, about }) => {
      const line = `- ${shortTitle(title)} ${url}`
      return about === undefined ? line : `${line}: ${shortTitle(about)}`
    })
    const more = pages.length > entries.length ? `, ${entries.length} of ${pages.length}` : ''
    return [`Recommended, ${group}${more}:`, ...entries]
  })
}

import type { Origin, Related, RelatedPage } from '@pith-mcp/docs'
import { fenced } from './fence.ts'
import { linesWithin } from './lines-within.ts'
import { callText, shortTitle } from './next-call.ts'
import { originText } from './origin.ts'

const groups: readonly [keyof Related, string][] = [
  ['previous', 'Before'],
  ['next', 'After'],
  ['up', 'Above'],
  ['seeAlso', 'See also'],
  ['similar', 'About the same'],
  ['linked', 'Linked from the text'],
  ['languages', 'In other languages'],
]

/** Of one group; a page of references has hundreds. */
const mostShown = 100

export function renderRelated(related: Related & { origin: Origin }): string {
  const { url, title, origin } = related
  let left = related.linkedOmitted
  const own = groups.flatMap(([key, name]) => {
    const pages = related[key] as RelatedPage[]
    if (pages.length === 0) return []
    left += Math.max(0, pages.length - mostShown)
    const shown = pages.slice(0, mostShown)
    return [
      `${name}:`,
      ...shown.map((page) => `- ${shortTitle(page.title)} ${page.url}`.replace('-  ', '- ')),
    ]
  })
  const lines = [...own, ...recommendations(related)]
  const notes = [
    ...(related.guide === undefined
      ? []
      : [`[contents of the guide: ${callText('get_doc_toc', { url: related.guide })}]`]),
    ...(related.problem === undefined
      ? []
      : [
          `[the site was asked in vain: ${related.problem.replace(/[[\]\n]/g, ' ').slice(0, 300)}]`,
        ]),
  ]
  const within = linesWithin(lines, 16_000)
  if (lines.length === 0 && notes.length === 0)
    return `“${shortTitle(title)}” leads to no other page that is known.\n[next: ${callText('get_doc_toc', { url })}]`
  return [
    `[from ${shortTitle(title)} · ${originText(origin)}]`,
    fenced(within.lines.join('\n')),
    ...(within.left > 0 ? [`[${within.left} lines more than a reply holds]`] : []),
    ...notes,
    ...(left > 0 ? [`[${left} more linked pages: name a section to see its links]`] : []),
  ].join('\n')
}

/** Of one group; what the site recommends beyond that is much like it. */
const mostRecommended = 6

function recommendations({ recommended }: Related): string[] {
  const groups = [...new Set(recommended.map(({ group }) => group))]
  return groups.flatMap((group) => {
    const pages = recommended.filter((page) => page.group === group)
    const shown = pages.slice(0, mostRecommended).map(({ title, url, about }) => {
      const line = `- ${shortTitle(title)} ${url}`
      return about === undefined ? line : `${line}: ${shortTitle(about)}`
    })
    const more = pages.length > shown.length ? `, ${shown.length} of ${pages.length}` : ''
    return [`Recommended, ${group}${more}:`, ...shown]
  })
}

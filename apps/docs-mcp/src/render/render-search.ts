import type { SearchAnswer, SearchedSource, SearchHit } from '@pith-mcp/docs'
import { fenced } from './fence.ts'
import { linesWithin } from './lines-within.ts'
import { callText, count, shortTitle } from './next-call.ts'

export function renderSearch(answer: SearchAnswer): string {
  const { hits, matchingPages, isAll, sources, repairs, misses, otherLanguages, facets } = answer
  const notes = [
    ...repairs.map(
      ({ word, used }) => `[no page has ${JSON.stringify(word)}: searched ${JSON.stringify(used)}]`,
    ),
    ...(otherLanguages ? [languageNote(otherLanguages, answer.isDefaultLanguage ?? false)] : []),
    ...sources.flatMap(sourceNotes),
    ...(answer.leftOut ?? []).map(
      (name) => `[not searched, since it has no such filters: ${shortName(name)}]`,
    ),
    ...filterNotes(facets ?? {}),
  ]
  const scope = sources.map((source) => scopeOf(source, sources.length > 1)).join('; ')
  if (hits.length === 0) {
    const unknown = misses.map(({ word, nearest }) => {
      const like =
        nearest.length > 0
          ? ` (there is ${nearest.map((one) => JSON.stringify(one)).join(', ')})`
          : ''
      return `${JSON.stringify(word)}${like}`
    })
    return [
      `Nothing matches ${JSON.stringify(answer.query.slice(0, 200))} (${scope}).`,
      ...(unknown.length > 0 ? [`Not a word of these pages: ${unknown.join(', ')}.`] : []),
      'Try one or two words that the documentation would use.',
      ...notes,
    ].join('\n')
  }
  const { lines, left } = linesWithin(hits.map((hit) => hitText(hit, sources.length > 1)))
  const shown = hits.length - left
  const all = `${isAll ? '' : 'at least '}${count(matchingPages)}`
  return [
    fenced(lines.join('\n\n')),
    `[${shown} of ${all} matching pages; ${scope}]`,
    ...notes,
  ].join('\n')
}

const scopeOf = (
  { name, rung, pages, sections, site }: SearchedSource,
  isNamed: boolean,
): string =>
  site && rung === site.name
    ? `${rung}${isNamed ? ` of ${shortName(name)}` : ''}`
    : `${count(sections)} sections of ${count(pages)} pages${rung === '' ? '' : `, ${rung}`}${isNamed ? ` of ${shortName(name)}` : ''}`

/** The end of a name tells sources apart. */
const shortName = (name: string): string => (name.length > 60 ? `…${name.slice(-59)}` : name)

function languageNote(others: readonly string[], isDefault: boolean): string {
  const there = others.length > 0 ? `; there are ${others.join(', ')}` : ''
  if (!isDefault) return `[no page states that language${there}: all were searched]`
  return `[not in that language${there}: that of the site was searched]`
}

const mostValues = 8

/** What the search can be narrowed by, as far as a reply has room for it. */
function filterNotes(facets: Readonly<Record<string, readonly string[]>>): string[] {
  const lists = Object.entries(facets).map(([name, values]) => {
    const shown = values.slice(0, mostValues).map((value) => JSON.stringify(shortTitle(value)))
    const more = values.length > shown.length ? ` and ${values.length - shown.length} more` : ''
    return `${name}: ${shown.join(', ')}${more}`
  })
  return lists.length > 0 ? [`[filters: ${lists.join('; ')}]`] : []
}

function sourceNotes(source: SearchedSource): string[] {
  const { name, failed, more, forbidden, isComplete, progress, problem, site, rung } = source
  const { done, total } = progress
  const notes: string[] = []
  if (site?.problem !== undefined) {
    const instead = site.name === rung ? 'titles only were searched' : 'its pages were searched'
    notes.push(
      `[${site.name} failed, ${instead}: ${site.problem.replace(/[[\]\n]/g, ' ').slice(0, 300)}]`,
    )
  }
  if (problem !== undefined)
    notes.push(`[${shortName(name)} could not be listed: ${problem.replace(/[[\]]/g, ' ')}]`)
  else if (!isComplete)
    notes.push(
      `[still reading: ${count(done)}${total > 0 ? ` of ${count(total)}` : ''} pages; ask again for more]`,
    )
  if (forbidden > 0) notes.push(`[${count(forbidden)} pages are not read: robots.txt]`)
  if (failed > 0) notes.push(`[${count(failed)} pages could not be read]`)
  if (more) notes.push('[the source has more pages: start docs-mcp with a larger --max-pages]')
  return notes
}

function hitText(hit: SearchHit, isNamed: boolean): string {
  const place = [hit.title, ...hit.path.filter((title) => title !== hit.title), hit.section]
  const titles = place.filter((title, index) => title !== '' && title !== place[index - 1])
  const headings = hit.headings?.map(
    ({ title, level }) => `${'  '.repeat(Math.max(0, level - 1))}- ${shortTitle(title)}`,
  )
  const more = hit.headingsOmitted
    ? [
        `(${hit.headingsOmitted} more headings: ${callText('get_doc_toc', { url: hit.url.split('#')[0] })})`,
      ]
    : []
  return [
    `**${shortTitle(titles.join(' › '))}**${isNamed ? ` (${shortName(hit.source)})` : ''}`,
    hit.url,
    ...(hit.excerpt === '' ? [] : [hit.excerpt]),
    ...(headings ?? []),
    ...more,
  ].join('\n')
}

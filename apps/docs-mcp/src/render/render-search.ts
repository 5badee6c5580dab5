import type { SearchAnswer, SearchedSource, SearchHit } from '@pith-mcp/docs'
import { amount, callText, count } from '@pith-mcp/server-kit/tools'
import { linesWithin } from './lines-within.ts'
import { absence, absenceNotes, notReadNotes } from './not-read.ts'
import { fenced, linesOf, nearText, shortName, shortTitle } from './reply-text.ts'

/**
 * `section` is the text of the first hit's section, to be shown instead of an excerpt; `canPass`:
 * the tool has a parameter for the source.
 */
export function renderSearch(answer: SearchAnswer, section?: string, canPass = true): string {
  const { hits, matchingPages, isAll, sources, repairs, misses, otherLanguages, facets } = answer
  const isAbsence = hits.length === 0 && misses.length > 0
  const notes = [
    repairs.map(
      ({ word, used }) =>
        `[${absence(JSON.stringify(word), sources)}: searched ${used === undefined ? 'without it' : `${JSON.stringify(used)} instead`}]`,
    ),
    otherLanguages && languageNote(otherLanguages, answer),
    queryLanguageNote(answer),
    sources.map(siteNote),
    !isAbsence && sources.map((source) => notReadNotes(source, canPass)),
    answer.omitted?.map(
      (name) => `[not searched, because it lacks the filters: ${shortName(name)}]`,
    ),
    filterNote(facets ?? {}),
  ]
  const scope = sources.map((source) => scopeOf(source, sources.length > 1)).join('; ')
  if (hits.length === 0) {
    const unknown = misses.map(({ word, nearest }) => {
      const like =
        nearest.length > 0
          ? ` (similar: ${nearest.map((term) => JSON.stringify(term)).join(', ')})`
          : ''
      return `${JSON.stringify(word)}${like}`
    })
    return linesOf(
      `No section matches ${JSON.stringify(answer.query.slice(0, 200))} (${scope}).`,
      isAbsence && absenceNotes(unknown.join(', '), sources, canPass),
      'Search for one or two words that the documentation uses.',
      notes,
    )
  }
  const isNamed = sources.length > 1
  const { lines, omitted } = linesWithin(
    hits.map((hit, at) => {
      if (section === undefined) return hitText(hit, isNamed)
      // Next to a section that is shown whole, other hits are only named.
      const bareHit = { ...hit, excerpt: '', near: [] }
      return hitText(at === 0 ? { ...hit, excerpt: section } : bareHit, isNamed)
    }),
  )
  const shownCount = hits.length - omitted
  const all = `${isAll ? '' : 'at least '}${count(matchingPages)}`
  const matching =
    isAll || shownCount < matchingPages
      ? `${shownCount} of ${all} matching pages`
      : `${amount(shownCount, 'matching page')}, perhaps more`
  return linesOf(
    fenced(lines.join('\n\n')),
    hits.slice(0, shownCount).map(headingNote),
    `[${matching}; ${scope}]`,
    notes,
  )
}

const scopeOf = ({ name, via, pages, sections, site }: SearchedSource, isNamed: boolean): string =>
  site && via === site.name
    ? `${via}${isNamed ? ` of ${shortName(name)}` : ''}`
    : `${amount(sections, 'section')} of ${amount(pages, 'page')}${via === '' ? '' : `, ${via}`}${isNamed ? ` of ${shortName(name)}` : ''}`

/** `languages` are the available languages; of a site's own search the first one is its default. */
function languageNote(
  languages: readonly string[],
  { isDefaultLanguage = false, sources }: SearchAnswer,
): string {
  const [first] = languages
  if (first === undefined) return '[no page in that language: searched all languages]'
  if (!isDefaultLanguage)
    return `[no page in that language: searched all languages (${languages.join(', ')})]`
  const isIn = (url: string, tag: string): boolean =>
    url.toLowerCase().includes(`/${tag.toLowerCase()}/`)
  const ofSource = languages.find((tag) => sources.some(({ name }) => isIn(name, tag)))
  return `[that language is not available: searched ${ofSource ?? first} (languages: ${languages.join(', ')})]`
}

/** What was searched for a query whose script shows its language, or how to search on. */
function queryLanguageNote({ queryLanguage, hits }: SearchAnswer): string | false {
  const { searched, others = [], isOnly } = queryLanguage ?? {}
  const [tag] = others
  if (tag === undefined) return false
  const another = `language=${JSON.stringify(tag)}`
  if (searched === undefined) {
    const languages = isOnly ? tag : others.join(', ')
    return `[no page in the language of the query: searched ${languages}; translate the query]`
  }
  if (isOnly)
    return `[searched ${searched}, the language of the query; for others translate it, ${another}]`
  return hits.length > 0 && `[pages in ${searched}, the language of the query, come first]`
}

const maxValues = 8

/** Filter values for narrowing the search, as many as fit into a reply. */
function filterNote(facets: Readonly<Record<string, readonly string[]>>): string | false {
  const lists = Object.entries(facets).map(([name, values]) => {
    const texts = values.slice(0, maxValues).map((value) => JSON.stringify(shortTitle(value)))
    const more = values.length > texts.length ? ` and ${values.length - texts.length} more` : ''
    return `${name}: ${texts.join(', ')}${more}`
  })
  return lists.length > 0 && `[filters: ${lists.join('; ')}]`
}

function siteNote({ site, via }: SearchedSource): string | false {
  if (site?.problem === undefined) return false
  const instead = site.name === via ? 'searched titles only' : 'searched its pages instead'
  return `[${site.name} failed, ${instead}: ${site.problem.replace(/[[\]\n]/g, ' ').slice(0, 300)}]`
}

const headingNote = ({ headingsOmitted, url }: SearchHit): string | false =>
  headingsOmitted !== undefined &&
  headingsOmitted > 0 &&
  `[${amount(headingsOmitted, 'more heading')}: ${callText('get_doc_toc', { url: url.split('#')[0] })}]`

function hitText(hit: SearchHit, isNamed: boolean): string {
  const place = [hit.title, ...hit.path.filter((title) => title !== hit.title), hit.section]
  const titles = place.filter((title, index) => title !== '' && title !== place[index - 1])
  const headings = hit.headings?.map(
    ({ title, level }) => `${'  '.repeat(Math.max(0, level - 1))}- ${shortTitle(title)}`,
  )
  const isSeen = hit.url.startsWith(hit.source)
  const marks = [
    ...(hit.kind === undefined ? [] : [shortTitle(hit.kind)]),
    ...(isNamed && !isSeen ? [shortName(hit.source)] : []),
    ...(hit.problem === undefined ? [] : [`could not be read: ${shortTitle(hit.problem)}`]),
  ]
  return linesOf(
    `**${shortTitle(titles.join(' › '))}**${marks.length > 0 ? ` (${marks.join('; ')})` : ''}`,
    hit.url,
    hit.excerpt !== '' && hit.excerpt,
    hit.near.length > 0 && `also: ${hit.near.map(nearText).join(', ')}`,
    headings,
  )
}

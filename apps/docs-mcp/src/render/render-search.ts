import type { SearchAnswer, SearchedSource, SearchHit } from '@pith-mcp/docs'
import { amount, callText, count } from '@pith-mcp/server-kit/tools'
import { linesWithin } from './lines-within.ts'
import { absence, absenceNotes, notReadNotes } from './not-read.ts'
import { hitText, maxNext, nextNote, pageText } from './render-hit.ts'
import { fenced, linesOf, shortName, shortTitle } from './reply-text.ts'

export interface SearchForm {
  /** The first section is all that is shown: there is nothing to read on. */
  isAlone?: boolean
  /** The tool has a parameter for the source. Default true. */
  canPass?: boolean
  /** Each page with one excerpt, and without further sections. */
  isExcerpts?: boolean
  /** The call that reads on has one section, as a command does. */
  readsOne?: boolean
}

/** The best sections of each page, and the call that reads on. */
export function renderSearch(
  answer: SearchAnswer,
  { isAlone = false, canPass = true, isExcerpts = false, readsOne = false }: SearchForm = {},
): string {
  const { sources, misses } = answer
  const isAbsence = answer.hits.length === 0 && misses.length > 0
  const notes = notesOf(answer, isAbsence, canPass)
  if (answer.hits.length === 0) return linesOf(nothingFound(answer, isAbsence, canPass), notes)
  const isNamed = sources.length > 1
  const all = isExcerpts ? answer.hits : answer.hits.filter(hasSections)
  const { lines, omitted } = linesWithin(
    all.map((hit) => (isExcerpts ? hitText(hit, isNamed) : pageText(hit, isNamed))),
  )
  const hits = all.slice(0, all.length - omitted)
  const missing = !isExcerpts && missingNote(answer)
  const isWeak = answer.missingShare > weakShare
  return linesOf(
    isWeak && missing,
    fenced(joined(lines)),
    hits.map(headingNote),
    !isWeak && missing,
    isExcerpts ? pageCount(answer, hits.length) : sectionCount(answer, hits),
    versionNotes(hits),
    notes,
    !isExcerpts && !isAlone && nextNote({ ...answer, hits }, readsOne ? 1 : maxNext),
  )
}

/** The versions of each site that the results are of, as their addresses state them. */
function versionNotes(hits: readonly SearchHit[]): string[] {
  const sites = new Map<string, Set<string>>()
  for (const { url, version } of hits) {
    if (!URL.canParse(url)) continue
    const { host } = new URL(url)
    sites.set(host, (sites.get(host) ?? new Set()).add(version ?? 'no stated version'))
  }
  return [...sites].flatMap(([host, all]) => {
    const [first = '', ...further] = [...all].map(shortTitle)
    const isStated = all.size > 1 || !all.has('no stated version')
    if (further.length === 0) return isStated ? [`[${host}: version ${first}]`] : []
    return [`[${host}: results of several versions: ${[first, ...further].join(', ')}]`]
  })
}

const hasSections = ({ sections, problem }: SearchHit): boolean =>
  sections.length > 0 || problem !== undefined

/** The answer with the whole text of its first section; others are only named. */
export function standingAlone(answer: SearchAnswer, text: string): SearchAnswer {
  const hits = answer.hits.map((hit, page) => {
    const names = hit.sections.map((match) => ({ ...match, text: '', isWhole: false }))
    const [first, ...lower] = names
    if (first === undefined || page > 0) return { ...hit, sections: names }
    // Its subsections are in its text.
    const apart = lower.filter(({ path }) => !path.includes(first.title))
    return { ...hit, sections: [{ ...first, text, isWhole: true }, ...apart] }
  })
  return { ...answer, hits, missing: [] }
}

const searchedFor = ({ queries }: SearchAnswer): string =>
  queries.map((query) => JSON.stringify(query.slice(0, 200))).join(', ')

function nothingFound(answer: SearchAnswer, isAbsence: boolean, canPass: boolean) {
  const { sources, misses } = answer
  const unknown = misses.map(({ word, nearest }) => {
    const like =
      nearest.length > 0
        ? ` (similar: ${nearest.map((term) => JSON.stringify(term)).join(', ')})`
        : ''
    return `${JSON.stringify(word)}${like}`
  })
  return [
    `No section matches ${searchedFor(answer)} (${scopesOf(sources)}).`,
    ...(isAbsence ? absenceNotes(unknown.join(', '), sources, canPass) : []),
    'Search for one or two words that the documentation uses.',
  ]
}

function notesOf(answer: SearchAnswer, isAbsence: boolean, canPass: boolean) {
  const { sources, repairs, misses, otherLanguages, facets } = answer
  const absent = misses
    .map(({ word }) => word)
    .filter((word) => !isAbsence && repairs.every((repair) => repair.word !== word))
  return [
    absent.length > 0 &&
      `[${absence(absent.map((word) => JSON.stringify(word)).join(', '), sources)}]`,
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
}

/** If the sections shown lack more of the query, the reply says so before them. */
const weakShare = 0.5

/** Words of the query that are in no section with a text: the best sections may miss the point. */
function missingNote({ missing, hits }: SearchAnswer): string | false {
  const isShown = hits.some(({ sections }) => sections.some(({ text }) => text !== ''))
  const words = missing.slice(0, 8).map((word) => JSON.stringify(word))
  return (
    isShown &&
    words.length > 0 &&
    `[no section shown has ${words.join(', ')}: if nothing fits, search with the manual's own words, such as an option or a heading]`
  )
}

function pageCount({ matchingPages, isAll, sources }: SearchAnswer, pages: number): string {
  const all = `${isAll ? '' : 'at least '}${count(matchingPages)}`
  const matching =
    isAll || pages < matchingPages
      ? `${pages} of ${all} matching pages`
      : `${amount(pages, 'matching page')}, perhaps more`
  return `[${matching}; ${scopesOf(sources)}]`
}

/** How much of what matches is shown. The search of a site counts pages. */
function sectionCount(answer: SearchAnswer, hits: readonly SearchHit[]): string {
  const { matchingSections, isAll, sources } = answer
  if (matchingSections === 0) return pageCount(answer, hits.length)
  const all = hits.flatMap(({ sections }) => sections)
  const texts = all.filter(({ text }) => text !== '').length
  const names = all.length - texts
  const more = `${isAll ? '' : 'at least '}${amount(matchingSections, 'matching section')}`
  return `[${texts} shown${names > 0 ? ` and ${names} named` : ''} of ${more}; ${scopesOf(sources)}]`
}

const scopesOf = (sources: readonly SearchedSource[]): string =>
  sources.map((source) => scopeOf(source, sources.length > 1)).join('; ')

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

/** Pages apart, but those of one line. */
const joined = (pages: readonly string[]): string =>
  pages
    .map((page, at) =>
      at === 0
        ? page
        : `${page.startsWith('**') || pages[at - 1]?.startsWith('**') ? '\n\n' : '\n'}${page}`,
    )
    .join('')

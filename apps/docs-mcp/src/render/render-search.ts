import { letters } from '@pith-mcp/base/letters'
import type { SearchAnswer, SearchedSource, SearchHit, ShownSection } from '@pith-mcp/docs'
import { amount, callText, count } from '@pith-mcp/server-kit/tools'
import { linesWithin } from './lines-within.ts'
import { absence, absenceNotes, notReadNotes } from './not-read.ts'
import { fenced, linesOf, shortName, shortTitle } from './reply-text.ts'

export interface SearchForm {
  /** Text of the first hit's section, to be shown alone. */
  section?: string | undefined
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
  { section, canPass = true, isExcerpts = false, readsOne = false }: SearchForm = {},
): string {
  const { hits, sources, misses } = answer
  const isAbsence = hits.length === 0 && misses.length > 0
  const notes = notesOf(answer, isAbsence, canPass)
  if (hits.length === 0) return linesOf(nothingFound(answer, isAbsence, canPass), notes)
  const isNamed = sources.length > 1
  const { lines, omitted } = linesWithin(
    hits.flatMap((hit, at) => {
      if (isExcerpts) return [hitText(hit, isNamed, hit.excerpt)]
      // Next to a section that is shown whole, others are only named.
      if (section !== undefined && at === 0) return [hitText(hit, isNamed, section)]
      const sections = hit.sections.map((match) => (section ? { ...match, text: '' } : match))
      return hit.sections.length > 0 || hit.problem !== undefined
        ? [pageText({ ...hit, sections }, isNamed)]
        : []
    }),
  )
  return linesOf(
    fenced(joined(lines)),
    hits.slice(0, hits.length - omitted).map(headingNote),
    !isExcerpts && section === undefined && missingNote(answer),
    countNote(answer, isExcerpts ? hits.length - omitted : undefined),
    notes,
    !isExcerpts && section === undefined && nextNote(hits, readsOne ? 1 : maxNext),
  )
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
  const { sources, repairs, otherLanguages, facets } = answer
  return [
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

/** Words of the query that are in no section with a text: the best sections may miss the point. */
function missingNote({ missing, hits }: SearchAnswer): string | false {
  const isShown = hits.some(({ sections }) => sections.some(({ text }) => text !== ''))
  const words = missing.slice(0, 8).map((word) => JSON.stringify(word))
  return (
    isShown &&
    words.length > 0 &&
    `[no section shown has ${words.join(', ')}: if nothing fits, search with other words]`
  )
}

/** How much of what matches is shown; `pages` with one excerpt each, or sections. */
function countNote(answer: SearchAnswer, pages: number | undefined): string {
  const { hits, matchingPages, matchingSections, isAll, sources } = answer
  const scope = scopesOf(sources)
  if (pages !== undefined || matchingSections === 0) {
    const pageCount = pages ?? hits.length
    const all = `${isAll ? '' : 'at least '}${count(matchingPages)}`
    const matching =
      isAll || pageCount < matchingPages
        ? `${pageCount} of ${all} matching pages`
        : `${amount(pageCount, 'matching page')}, perhaps more`
    return `[${matching}; ${scope}]`
  }
  const all = hits.flatMap(({ sections }) => sections)
  const texts = all.filter(({ text }) => text !== '').length
  const names = all.length - texts
  const more = isAll
    ? `of ${amount(matchingSections, 'matching section')}`
    : `of more than ${count(matchingSections)} matching sections`
  return `[${texts} shown${names > 0 ? ` and ${names} named` : ''} ${more}; ${scope}]`
}

/** The call that reads on has at most this many sections, and as many estimated tokens. */
const maxNext = 8
const nextTokens = 1_100

/** The call that reads the best sections that are not shown whole, as many as one reply has. */
function nextNote(hits: readonly SearchHit[], most: number): string | false {
  const all = hits
    .flatMap(({ url, sections }) => sections.map((section) => ({ page: pageOf(url), section })))
    .filter(({ section: { isWhole } }) => !isWhole)
    .sort((a, b) => a.section.place - b.section.place)
  let room = nextTokens
  const fitting = all.filter(({ section: { id, tokens = 0 } }) => {
    const isFitting = id !== '' && tokens <= room
    if (isFitting) room -= tokens
    return isFitting
  })
  const [first = all[0], ...further] = fitting.slice(0, most)
  if (first === undefined) return false
  const sections = [first, ...further].map(({ page, section: { id } }) =>
    page === first.page ? id : addressOf(page, id),
  )
  const args =
    further.length > 0
      ? { url: first.page, sections }
      : { url: addressOf(first.page, first.section.id) }
  return `[next: ${callText('get_doc_section', args)}]`
}

const pageOf = (url: string): string => url.replace(/#.*$/s, '')
const addressOf = (page: string, id: string): string => (id === '' ? page : `${page}#${id}`)

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

/** A page with its best section and a text. */
function hitText(hit: SearchHit, isNamed: boolean, text: string): string {
  const place = [hit.title, ...hit.path.filter((title) => title !== hit.title), hit.section]
  const titles = place.filter((title, index) => title !== '' && title !== place[index - 1])
  return linesOf(
    titleLine(titles.join(' › '), hit, isNamed),
    hit.url,
    text !== '' && text,
    headingLines(hit),
  )
}

/** A page with its sections, one below the other; sections without a text are one line each. */
function pageText(hit: SearchHit, isNamed: boolean): string {
  const page = pageOf(hit.url)
  const isText = hit.sections.some(({ text }) => text !== '')
  if (!isText && hit.problem === undefined && hit.headings === undefined) {
    const title = isTold(hit.title, page) ? undefined : hit.title
    return linesOf(
      hit.sections.map(
        (section) => `${page}${section.id === '' ? ' ' : ''}${sectionLine(section, title)}`,
      ),
    )
  }
  return linesOf(
    titleLine(hit.title, hit, isNamed),
    page,
    hit.sections.map((section) => [
      sectionLine(section, undefined, hit.title),
      ...(section.text === '' ? [] : [section.text]),
    ]),
    headingLines(hit),
  )
}

/** The address has the title of the page, or its last part is in the title: `git-add.html`. */
function isTold(title: string, page: string): boolean {
  const [, name = ''] = /([^/]*?)(?:\.\w{1,5})?$/.exec(page) ?? []
  return letters(page).includes(letters(title)) || letters(title).includes(letters(name))
}

/** Pages apart, but those of one line. */
const joined = (pages: readonly string[]): string =>
  pages
    .map((page, at) =>
      at === 0
        ? page
        : `${page.startsWith('**') || pages[at - 1]?.startsWith('**') ? '\n\n' : '\n'}${page}`,
    )
    .join('')

/** Id, titles, and what it costs to read the section if it is not shown whole. */
function sectionLine(section: ShownSection, page?: string | undefined, above?: string): string {
  const { id, title, path, tokens, isWhole } = section
  const titles = [page ?? '', ...path.slice(-1), title].filter(
    (name, at, all) => name !== '' && name !== above && all.indexOf(name) === at,
  )
  const unread = section.text === '' ? ['(title only)'] : []
  const cost = tokens === undefined ? unread : isWhole ? [] : [`(~${amount(tokens, 'token')})`]
  return [...(id === '' ? [] : [`#${id}`]), shortTitle(titles.join(' › ')), ...cost]
    .filter(Boolean)
    .join(' ')
}

function titleLine(title: string, hit: SearchHit, isNamed: boolean): string {
  const isSeen = hit.url.startsWith(hit.source)
  const marks = [
    ...(hit.kind === undefined ? [] : [shortTitle(hit.kind)]),
    ...(isNamed && !isSeen ? [shortName(hit.source)] : []),
    ...(hit.problem === undefined ? [] : [`could not be read: ${shortTitle(hit.problem)}`]),
  ]
  return `**${shortTitle(title)}**${marks.length > 0 ? ` (${marks.join('; ')})` : ''}`
}

const headingLines = ({ headings }: SearchHit): string[] =>
  (headings ?? []).map(
    ({ title, level }) => `${'  '.repeat(Math.max(0, level - 1))}- ${shortTitle(title)}`,
  )

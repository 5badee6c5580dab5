import { letters } from '@pith-mcp/base/letters'
import type { SearchAnswer, SearchHit, ShownSection } from '@pith-mcp/docs'
import { amount, callText } from '@pith-mcp/server-kit/tools'
import { linesOf, shortName, shortTitle } from './reply-text.ts'

/** A page with its best section and an excerpt. */
export function hitText(hit: SearchHit, isNamed: boolean): string {
  const place = [hit.title, ...hit.path.filter((title) => title !== hit.title), hit.section]
  const titles = place.filter((title, index) => title !== '' && title !== place[index - 1])
  return linesOf(
    titleLine(titles.join(' › '), hit, isNamed),
    hit.url,
    hit.excerpt !== '' && hit.excerpt,
    headingLines(hit),
  )
}

/**
 * A page with its best section and its whole address, and the others below, by their ids; without a
 * text, one line for each section.
 */
export function pageText(hit: SearchHit, isNamed: boolean): string {
  const page = pageOf(hit.url)
  const [first, ...lower] = hit.sections
  const isText = hit.sections.some(({ text }) => text !== '')
  if (!isText && hit.problem === undefined && hit.headings === undefined) {
    const title = isTold(hit.title, page) ? '' : hit.title
    return linesOf(
      hit.sections.map((section) =>
        lineOf(addressOf(page, section.id), titlesOf(section, title), section),
      ),
    )
  }
  return linesOf(
    titleLine(first === undefined ? hit.title : titlesOf(first, hit.title), hit, isNamed),
    first === undefined ? page : lineOf(addressOf(page, first.id), '', first),
    first !== undefined && first.text !== '' && first.text,
    lower.map((section) => [
      lineOf(section.id === '' ? '' : `#${section.id}`, titlesOf(section, '', hit.title), section),
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

/** The title of a section below the one around it and that of its page, but those above it. */
const titlesOf = ({ path, title }: ShownSection, page: string, above = ''): string =>
  [page, ...path.slice(-1), title]
    .filter((name, at, all) => name !== '' && name !== above && all.indexOf(name) === at)
    .join(' › ')

/** An address, titles, and what it costs to read the section if it is not shown whole. */
function lineOf(address: string, titles: string, { tokens, text, isWhole }: ShownSection): string {
  const unread = text === '' ? '(title only)' : ''
  const cost = isWhole ? '' : `(~${amount(tokens ?? 0, 'token')})`
  return [address, shortTitle(titles), tokens === undefined ? unread : cost]
    .filter((part) => part !== '')
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

/** The call that reads on has at most this many sections, and about as many estimated tokens. */
export const maxNext = 8
const nextTokens = 1_100
/** Estimated tokens that count of a longer section, of which the passages are read: the first, others. */
const firstTokens = 400
const passageTokens = 220

/**
 * The call that reads what was cut or only named of the best sections, in their order, none of them
 * skipped for its length: of longer ones it reads the passages for the query, with their code.
 */
export function nextNote(
  { hits, queries }: Pick<SearchAnswer, 'hits' | 'queries'>,
  most: number,
): string | false {
  const ranked = hits
    .flatMap(({ url, sections }) => sections.map((section) => ({ page: pageOf(url), section })))
    .sort((a, b) => a.section.place - b.section.place)
  const cut = ranked.filter(({ section: { isWhole, id } }) => !isWhole && id !== '')
  let room = nextTokens
  const end = cut.findIndex(({ section: { tokens = 0 } }, at) => {
    room -= Math.min(tokens, at === 0 ? firstTokens : passageTokens)
    return room < 0
  })
  const [first, ...further] = cut.slice(0, Math.min(most, end < 0 ? most : Math.max(1, end)))
  if (first === undefined) return false
  const names = [first, ...further].map(({ page, section: { id } }) =>
    page === first.page ? id : addressOf(page, id),
  )
  const args = {
    ...(names.length > 1
      ? { url: first.page, sections: names }
      : { url: addressOf(first.page, first.section.id) }),
    query: wordsOf(queries),
  }
  return `[next: ${callText('get_doc_section', args)}]`
}

/** In characters. */
const maxWords = 400

/** Each word of the wordings once. */
function wordsOf(queries: readonly string[]): string {
  const words = queries.join(' ').trim().split(/\s+/)
  const each = new Map(words.map((word) => [word.toLowerCase(), word]))
  return [...each.values()].join(' ').slice(0, maxWords).trim()
}

const pageOf = (url: string): string => url.replace(/#.*$/s, '')
/** Accepted by every tool, like the URL of a hit. */
const addressOf = (page: string, id: string): string =>
  id === '' ? page : `${page}#${encodeURI(id)}`

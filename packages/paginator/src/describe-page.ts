import { type Budget, countLines } from './budget.ts'
import type { Content } from './content.ts'
import type { ContentPage } from './page-at.ts'
import { encodePageToken } from './page-token.ts'
import { paginate } from './paginate.ts'

/** The position of a page in its content, and the tokens of its neighbours. */
export interface PageInfo {
  isPartial: boolean
  totalLines: number
  /** First and last line of the page, from 1, without repeated parts. */
  startLine: number
  endLine: number
  /** From 1. */
  currentPage: number
  totalPages: number
  /** Absent on the last page. */
  nextPageToken?: string
  /** Absent on the first page. */
  prevPageToken?: string
}

/** Describe a page among those of the same budget. Linear in the whole content. */
export function describePage(
  content: Content,
  page: ContentPage,
  { resource, ...budget }: Budget & { resource: string },
): PageInfo {
  const { text } = content
  const starts = paginate(content, budget).map(({ start }) => start)
  // A page that began with another budget lies between two pages of this one.
  const before = starts.filter((start) => start < page.start)
  const after = starts.filter((start) => start >= page.end).length
  const previous = before.at(-1)
  const tokenOf = (start: number) => encodePageToken({ resource, start, content: text })
  return {
    isPartial: page.isPartial,
    totalLines: countLines(text),
    startLine: countLines(text.slice(0, page.start)) + (atLineStart(text, page.start) ? 1 : 0),
    endLine: countLines(text.slice(0, page.end)),
    currentPage: before.length + 1,
    totalPages: before.length + 1 + (page.next === undefined ? 0 : after),
    ...(page.next !== undefined && { nextPageToken: tokenOf(page.next) }),
    ...(previous !== undefined && { prevPageToken: tokenOf(previous) }),
  }
}

const atLineStart = (text: string, position: number): boolean =>
  position === 0 || text[position - 1] === '\n'

/** Options of {@link pageHeader}. */
export interface HeaderOptions {
  /** Default `en`. */
  language?: 'en' | 'ja'
  /** Name of the content; of a long name, the end is shown. */
  name?: string
}

const maxNameLength = 24

/** One line that states the position and the neighbours of a page; at most 45 o200k tokens. */
export function pageHeader(info: PageInfo, { language = 'en', name }: HeaderOptions = {}): string {
  const { currentPage, totalPages, startLine, endLine, totalLines } = info
  const { nextPageToken: next, prevPageToken: previous } = info
  const isLong = name !== undefined && name.length > maxNameLength
  const label = isLong ? `…${name.slice(1 - maxNameLength)}` : name
  const pages = `${currentPage}/${totalPages}`
  const lines = `${startLine}-${endLine}`
  const parts =
    language === 'ja'
      ? [label, `ページ${pages}`, `${totalLines}行中${lines}`, next ? `次 ${next}` : '終わり']
      : [label, `page ${pages}`, `lines ${lines}/${totalLines}`, next ? `next ${next}` : 'end']
  if (previous) parts.push(language === 'ja' ? `前 ${previous}` : `prev ${previous}`)
  return `[${parts.filter((part) => part !== undefined).join(' ')}]`
}

import { type Budget, countLines } from './budget.ts'
import type { Content } from './content.ts'
import type { ContentPage } from './page-at.ts'
import { encodePageToken } from './page-token.ts'
import { paginate } from './paginate.ts'

/** Where a page is in its content, and the ways on. */
export interface PageInfo {
  isPartial: boolean
  totalLines: number
  /** First and last line of the page, from 1; what is repeated does not count. */
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

/** Describe a page among those of the same budget; linear in the whole content. */
export function describePage(
  content: Content,
  page: ContentPage,
  { resource, ...budget }: Budget & { resource: string },
): PageInfo {
  const { text } = content
  const starts = paginate(content, budget).map(({ start }) => start)
  // A page that was begun with another budget lies between two of this one.
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

export interface HeaderOptions {
  /** Default `en`. */
  language?: 'en' | 'ja'
  /** What the page is of; of a long name, its end. */
  name?: string
}

const longestName = 24

/** One line that tells a model where it is and how to go on; at most 45 tokens of o200k. */
export function pageHeader(info: PageInfo, { language = 'en', name }: HeaderOptions = {}): string {
  const { currentPage, totalPages, startLine, endLine, totalLines } = info
  const { nextPageToken: next, prevPageToken: previous } = info
  const isLong = name !== undefined && name.length > longestName
  const own = isLong ? `…${name.slice(1 - longestName)}` : name
  const pages = `${currentPage}/${totalPages}`
  const lines = `${startLine}-${endLine}`
  const parts =
    language === 'ja'
      ? [own, `ページ${pages}`, `${totalLines}行中${lines}`, next ? `次 ${next}` : '終わり']
      : [own, `page ${pages}`, `lines ${lines}/${totalLines}`, next ? `next ${next}` : 'end']
  if (previous) parts.push(language === 'ja' ? `前 ${previous}` : `prev ${previous}`)
  return `[${parts.filter((part) => part !== undefined).join(' ')}]`
}

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type ContentPage,
  createContent,
  decodePageToken,
  encodePageToken,
  lastAtMost,
  pageAt,
} from '@pith-mcp/paginator'
import { CallError } from '@pith-mcp/server-kit/tools'

const budget = { budget: 4_000, unit: 'tokens' } as const

/**
 * In characters. No page is longer, because a token has at most 12 characters; and where a page
 * ends depends on at most 2,000 characters before it and behind it.
 */
const maxPage = 60_000
const maxBefore = 4_000

/** Of the lines made and the pages cut here, so many take some 10 ms. */
const linesPerTurn = 2_000
const pagesPerTurn = 4

/** At most this many characters of an invalid token are repeated in a message. */
const maxShownLength = 60

/** What a list shows: its lines, each made once, and their page. */
export interface ListOptions {
  /** Number of lines, from which `lineAt` makes each. */
  count: number
  lineAt: (index: number) => string
  /** Names the list. */
  resource: string
  token: string | undefined
  callFor: (token: string) => string
}

/**
 * Lines, or the page of them that a token names. However many there are, no other caller waits for
 * all of them, and only the lines around the page are paged.
 *
 * @throws {CallError} for a token of other lines.
 */
export async function pagedList({ count, lineAt, resource, token, callFor }: ListOptions) {
  const list = await readLines(count, lineAt)
  const { digest: content } = list
  const decode = (starts?: readonly number[]) =>
    token === undefined
      ? ({ ok: true, start: 0 } as const)
      : decodePageToken(token, { resource, content, ...(starts && { starts: () => starts }) })
  let decoded = decode()
  // Only a token with a slip is compared with those of all pages.
  if (!decoded.ok) decoded = decode(await startsOf(list))
  if (!decoded.ok)
    throw new CallError(
      `${JSON.stringify(token?.slice(0, maxShownLength))} is not a page_token of this list, or the list has changed.`,
      'Leave out page_token to begin at the first page.',
    )
  const { text, isPartial, next } = pageOf(list, decoded.start)
  const nextPageToken =
    next === undefined ? undefined : encodePageToken({ resource, start: next, content })
  return {
    text: text.replace(/\n$/, ''),
    /** The line with the call for the next page, if there is one. */
    next: nextPageToken === undefined ? [] : [`[next: ${callFor(nextPageToken)}]`],
    data: { isPartial, ...(nextPageToken !== undefined && { nextPageToken }) },
  }
}

interface LineList {
  /** With their newlines. */
  lines: readonly string[]
  /** Where each line starts, and where the last one ends. */
  starts: readonly number[]
  /** SHA-256 of all lines. */
  digest: string
}

async function readLines(count: number, lineAt: (index: number) => string): Promise<LineList> {
  const lines: string[] = []
  const starts = [0]
  const hash = createHash('sha256')
  let end = 0
  for (let at = 0; at < count; ) {
    const batch: string[] = []
    for (; at < count && batch.length < linesPerTurn; at++) {
      const line = `${lineAt(at)}\n`
      batch.push(line)
      lines.push(line)
      end += line.length
      starts.push(end)
    }
    hash.update(batch.join(''))
    if (at < count) await nextTurn()
  }
  return { lines, starts, digest: hash.digest('hex') }
}

/** The page at an offset of the list, cut from the lines around it. */
function pageOf(
  { lines, starts }: LineList,
  start: number,
): Pick<ContentPage, 'text' | 'isPartial' | 'next'> {
  const indexOf = (offset: number): number =>
    Math.max(
      0,
      lastAtMost(starts.length, (at) => starts[at] as number, offset),
    )
  const first = indexOf(start - maxBefore)
  const around = lines.slice(first, indexOf(start + maxPage) + 1)
  const base = starts[first] as number
  const total = starts.at(-1) as number
  const content = createContent(around.map((text) => ({ kind: 'line', text })))
  const page = pageAt(content, start - base, budget)
  const end = base + page.end
  return {
    text: page.text,
    isPartial: base + page.start > 0 || end < total,
    ...(end < total && { next: end }),
  }
}

async function startsOf(list: LineList): Promise<number[]> {
  const starts = [0]
  for (let { next } = pageOf(list, 0); next !== undefined; { next } = pageOf(list, next)) {
    if (starts.push(next) % pagesPerTurn === 0) await nextTurn()
  }
  return starts
}

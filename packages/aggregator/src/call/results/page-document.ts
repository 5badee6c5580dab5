import {
  type Content,
  type ContentPage,
  createContent,
  decodePageToken,
  describePage,
  encodePageToken,
  estimateTokens,
  pageAt,
  paginate,
} from '@pith-mcp/paginator'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { shown } from '../../protocol/shown.ts'
import type { Document, Room } from './document.ts'
import { jsonPieces } from './json-pieces.ts'
import { outlineOf } from './outline.ts'

/** What a document is to `read_more`, and which page of it is wanted. */
export interface Place {
  /** Arguments of `read_more` that lead to the document, without the page. */
  args: Readonly<Record<string, string>>
  /** A page token; the first page without. */
  page?: string | undefined
}

/** Parts of the room for what stands around a page. */
const forCall = 400
const forOutline = 0.1
/** With less room than this a page is of no use, and only the way to it is said. */
const smallestRoom = 1_000

/**
 * A document within a room: whole if it fits, else one page with where it is, what the whole holds
 * and the call that leads on. Pages add up to the document.
 * @throws {AggregatorError} `bad_argument` for a page that is none
 */
export function pageDocument(document: Document, room: Room, { args, page: token }: Place): string {
  const { text } = document
  if (token === undefined && fitsRoom(text, room)) return text
  if (room.characters < smallestRoom)
    return `[${text.length} characters: read_more(${JSON.stringify(args)})]`
  // Nothing is repeated on later pages, so that they add up.
  const content = { ...createContent(document.isJson ? jsonPieces(text) : text), regions: [] }
  const outline = outlineWithin(document, room.characters * forOutline)
  const budget = Math.floor(room.characters * (1 - forOutline)) - forCall
  const resource = JSON.stringify(args)
  const start = token === undefined ? 0 : startOf(token, resource, content, budget)
  const page = pageWithin(content, start, budget, Math.floor(room.tokens * (1 - forOutline)))
  if (!page.isPartial) return page.text
  const size = { budget: page.end - page.start }
  const { currentPage, totalPages } = describePage(content, page, { resource, ...size })
  const header = `[characters ${page.start}–${page.end} of ${page.total}, page ${currentPage} of ${totalPages}]`
  const lines = [header]
  if (start === 0 && outline.length > 0) lines.push('[the whole holds]', ...outline, '[page]')
  lines.push(page.text, wayOn(document, page, args, resource))
  return lines.join('\n')
}

export function fitsRoom(text: string, room: Room): boolean {
  if (text.length > room.characters) return false
  // No script needs more than about a token for a sign.
  return text.length <= room.tokens || estimateTokens(text) <= room.tokens
}

function pageWithin(content: Content, start: number, budget: number, tokens: number): ContentPage {
  const page = pageAt(content, start, budget)
  if (page.text.length <= tokens || estimateTokens(page.text) <= tokens) return page
  return pageAt(content, start, { budget: tokens, unit: 'tokens' })
}

function wayOn(
  { text, isJson }: Document,
  { next }: ContentPage,
  args: Place['args'],
  resource: string,
): string {
  if (next === undefined) return '[end]'
  const page = encodePageToken({ resource, start: next, content: text })
  const call = `read_more(${JSON.stringify({ ...args, page })})`
  const isPart = 'query' in args || 'path' in args
  const others = isPart ? '' : `; query finds text${isJson ? ', path takes JSONPath' : ''}`
  return `[more: ${call}${others}]`
}

function startOf(token: string, resource: string, content: Content, budget: number): number {
  const starts = () => paginate(content, { budget }).map(({ start }) => start)
  const decoded = decodePageToken(token, { resource, content: content.text, starts })
  if (decoded.ok) return decoded.start
  throw new AggregatorError(
    'bad_argument',
    `page ${shown(token)} is no page of this result.`,
    'Give the page that the reply before named, or none for the first page.',
  )
}

function outlineWithin(document: Document, characters: number): string[] {
  const lines: string[] = []
  let length = 0
  for (const line of outlineOf(document)) {
    length += line.length + 1
    if (length > characters) break
    lines.push(line)
  }
  return lines
}

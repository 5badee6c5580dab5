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
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { quoteValue } from '#servers/protocol/quote-value'
import type { Budget, Document } from './document.ts'
import { jsonPieces } from './json-pieces.ts'
import { outlineOf } from './outline.ts'

/** The `read_more` call of a document, and the requested page. */
export interface Place {
  /** Arguments of `read_more` for the document, without the page. */
  args: Readonly<Record<string, string>>
  /** A page token; without it: the first page. */
  page?: string | undefined
}

/** Characters for the call to the next page, and share of the budget for the outline. */
const forCall = 400
const forOutline = 0.1
/** Characters. Below this budget only the call that reads the document is shown. */
const minBudget = 1_000

/**
 * Fits a document into a budget: whole, or as one page with its position, an outline and the call
 * for the next page. The pages add up to the document.
 * @throws {AggregatorError} `bad_argument` for an invalid page
 */
export function pageDocument(
  document: Document,
  budget: Budget,
  { args, page: token }: Place,
): string {
  const { text } = document
  if (token === undefined && fitsBudget(text, budget)) return text
  if (budget.characters < minBudget)
    return `[${text.length} characters: read_more(${JSON.stringify(args)})]`
  // Headers are not repeated on later pages, so that the pages add up.
  const content = { ...createContent(document.isJson ? jsonPieces(text) : text), regions: [] }
  const outline = outlineWithin(document, budget.characters * forOutline)
  const pageCharacters = Math.floor(budget.characters * (1 - forOutline)) - forCall
  const resource = JSON.stringify(args)
  const start = token === undefined ? 0 : startOf(token, resource, content, pageCharacters)
  const page = pageWithin(
    content,
    start,
    pageCharacters,
    Math.floor(budget.tokens * (1 - forOutline)),
  )
  if (!page.isPartial) return page.text
  const size = { budget: page.end - page.start }
  const { currentPage, totalPages } = describePage(content, page, { resource, ...size })
  const header = `[characters ${page.start}–${page.end} of ${page.total}, page ${currentPage} of ${totalPages}]`
  const lines = [header]
  if (start === 0 && outline.length > 0) lines.push('[outline]', ...outline, '[page]')
  lines.push(page.text, nextPage(document, page, args, resource))
  return lines.join('\n')
}

export function fitsBudget(text: string, budget: Budget): boolean {
  if (text.length > budget.characters) return false
  // No script needs much more than one token per character.
  return text.length <= budget.tokens || estimateTokens(text) <= budget.tokens
}

function pageWithin(content: Content, start: number, budget: number, tokens: number): ContentPage {
  const page = pageAt(content, start, budget)
  if (page.text.length <= tokens || estimateTokens(page.text) <= tokens) return page
  return pageAt(content, start, { budget: tokens, unit: 'tokens' })
}

function nextPage(
  { text, isJson }: Document,
  { next }: ContentPage,
  args: Place['args'],
  resource: string,
): string {
  if (next === undefined) return '[end]'
  const page = encodePageToken({ resource, start: next, content: text })
  const call = `read_more(${JSON.stringify({ ...args, page })})`
  const isPart = 'query' in args || 'path' in args
  const hint = isPart ? '' : `; query finds text${isJson ? ', path takes JSONPath' : ''}`
  return `[more: ${call}${hint}]`
}

function startOf(token: string, resource: string, content: Content, budget: number): number {
  const starts = () => paginate(content, { budget }).map(({ start }) => start)
  const decoded = decodePageToken(token, { resource, content: content.text, starts })
  if (decoded.ok) return decoded.start
  throw new AggregatorError(
    'bad_argument',
    `page ${quoteValue(token)} is not a page of this result.`,
    'Pass the page named in the last reply, or no page for the first one.',
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

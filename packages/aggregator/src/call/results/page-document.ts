import {
  type Content,
  type ContentPage,
  decodePageToken,
  encodePageToken,
  estimateTokens,
  pageAt,
} from '@pith-mcp/paginator'
import { countOf } from '#base/count-of'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import { quoteValue } from '#servers/protocol/quote-value'
import { type CompactJson, compactJson } from './compact-json.ts'
import { type Budget, type Budgets, type Document, readMoreCall, wholeOf } from './document.ts'
import { memberStarts } from './json-text.ts'
import { endOf, foundIn, headingsIn } from './outline.ts'
import { exampleFields, shapeLines, shapeOf, visits } from './shape.ts'

/** The `read_more` call of a document, and the requested page. */
export interface Place {
  /** Arguments of `read_more` for the document, without the page. */
  args: JsonObject
  /** A page token; without it: the first page. */
  page?: string | undefined
  /** The result comes with its call, which had these arguments: its first page is small. */
  params?: unknown
}

/** Characters for the lines around a page. */
const forCalls = 400
/** Shares of the budget of a first page. */
const forHeadings = 0.1
const forShape = 0.25
const forFound = 0.1
const forEnd = 0.08
/** Characters of a path in a call. */
const maxNamed = 200
/** Characters. Below this budget only the call that reads the document is shown. */
const minBudget = 1_000

export function fitsBudget(text: string, budget: Budget): boolean {
  if (text.length > budget.characters) return false
  // No script needs much more than one token per character.
  return text.length <= budget.tokens || estimateTokens(text) <= budget.tokens
}

/**
 * Fits a document into a budget: whole, or as one page with its position, what the rest has, and the
 * calls for the rest. The pages add up to the document, or to its compact JSON.
 * @throws {AggregatorError} `bad_argument` for an invalid page
 */
export function pageDocument(document: Document, budgets: Budgets, place: Place): string {
  const { text } = document
  const isFirst = 'params' in place
  const fits = (shown: string): boolean =>
    fitsBudget(shown, isFirst ? wholeOf(budgets) : budgets.reply)
  if (place.page === undefined && fits(text)) return text
  const budget = isFirst ? budgets.first : budgets.reply
  if (budget.characters < minBudget)
    return `[${text.length} characters: ${readMoreCall(place.args)}]`
  const isCompact = document.isJson && place.args['format'] !== 'json'
  const shown: CompactJson = isCompact ? compactJson(text) : { text, binaries: [], tables: 0 }
  const how = rewritten(text, shown, place.args)
  if (place.page === undefined && fits(shown.text)) return [...how, shown.text].join('\n')
  return pageOf(document, shown, how, { ...place, budgets })
}

function pageOf(
  document: Document,
  { text }: CompactJson,
  how: readonly string[],
  { args, page: token, budgets, ...place }: Place & { budgets: Budgets },
): string {
  const resource = JSON.stringify(args)
  const cut = (start: number, isFirst: boolean) => {
    const budget = isFirst ? budgets.first : budgets.reply
    const content = contentOf(document, text, start + budget.characters)
    return cutPage(document, content, how, { start, budget, isFirst })
  }
  const startsOf = (isFirst: boolean): number[] => {
    const starts = [0]
    for (let { next } = cut(0, isFirst).page; next !== undefined; next = cut(next, false).page.next)
      starts.push(next)
    return starts
  }
  const start =
    token === undefined
      ? 0
      : startOf(token, resource, text, () => [...startsOf(true), ...startsOf(false)])
  const isFirst = start === 0 && 'params' in place
  const { page, summary, share } = cut(start, isFirst)
  if (!page.isPartial) return page.text
  const rest = isFirst && !document.isJson ? restOf(text, page.end, place.params, share) : []
  return [
    `[characters ${page.start}–${page.end} of ${page.total}]`,
    ...(start === 0 ? how : []),
    ...(summary.length > 0 ? ['[outline]', ...summary, '[page]'] : []),
    page.text,
    ...rest,
    ...callsFor(document, page, { args, resource, text }),
  ].join('\n')
}

/** A text for paging, with the places where a page up to `until` may end. */
function contentOf({ isJson }: Document, text: string, until: number): Content {
  const starts = isJson ? memberStarts(text, Math.min(until, text.length)) : [0]
  // Headers are not repeated on later pages, so that the pages add up.
  return { text, starts, kinds: starts.map(() => 'member'), regions: [] }
}

/** A page, and what is said of the document above the first one. */
function cutPage(
  document: Document,
  content: Content,
  how: readonly string[],
  { start, budget, isFirst }: { start: number; budget: Budget; isFirst: boolean },
) {
  const summary = start === 0 ? summaryOf(document, budget.characters, isFirst) : []
  const room = budget.characters - lengthOf(summary) - lengthOf(how) - forCalls
  const share = (part: number): number => part * room
  const characters = isFirst && !document.isJson ? share(1 - forFound - forEnd) : room
  const tokens = Math.floor((budget.tokens * characters) / budget.characters)
  return { page: pageWithin(content, start, { characters, tokens }), summary, share }
}

/** It is needed for the outline, and for the fields that are named below the page. */
const outlineOf = oncePer(({ json }: Document) => shapeOf(json, visits.outline))

const lengthOf = (lines: readonly string[]): number => lines.join('\n').length

function summaryOf(document: Document, characters: number, isFirst: boolean): string[] {
  if (document.isJson)
    return shapeLines(outlineOf(document), characters * (isFirst ? forShape : forHeadings))
  const lines: string[] = []
  for (const line of headingsIn(document.text)) {
    if (lengthOf([...lines, line]) > characters * forHeadings) break
    lines.push(line)
  }
  return lines
}

/** Lines of the rest that are worth a look, and its end. */
function restOf(
  text: string,
  from: number,
  params: unknown,
  share: (part: number) => number,
): string[] {
  const end = endOf(text, from, share(forEnd))
  const found = foundIn(text, from, params, share(forFound))
  return [
    ...(found.length > 0 ? ['[in the rest]', ...found] : []),
    ...(end === '' ? [] : ['[end of the text]', end]),
  ]
}

/** How a text differs from that of the result, and the calls that undo it. */
function rewritten(text: string, shown: CompactJson, args: JsonObject): string[] {
  if (text === shown.text) return []
  const { binaries, tables } = shown
  const call = (more: JsonObject): string => readMoreCall({ ...args, ...more })
  const lines = [
    `[JSON of ${text.length} characters, written without indents${tables > 0 ? ` and with ${countOf(tables, 'list')} of objects as {"columns", "rows"}` : ''}; as it was: ${call({ format: 'json' })}]`,
  ]
  const [first = ''] = binaries
  const isCall = args['select'] === undefined && first.length <= maxNamed
  if (binaries.length > 0)
    lines.push(
      `[${countOf(binaries.length, 'value')} of base64 left out${isCall ? `, such as ${call({ select: first })}` : ''}]`,
    )
  return lines
}

function pageWithin(content: Content, start: number, { characters, tokens }: Budget): ContentPage {
  const page = pageAt(content, start, characters)
  if (page.text.length <= tokens || estimateTokens(page.text) <= tokens) return page
  return pageAt(content, start, { budget: tokens, unit: 'tokens' })
}

function callsFor(
  document: Document,
  { start, next }: ContentPage,
  { args, resource, text }: Pick<Place, 'args'> & { resource: string; text: string },
): string[] {
  if (next === undefined) return ['[end]']
  const call = (more: JsonObject): string => readMoreCall({ ...args, ...more })
  const page = encodePageToken({ resource, start: next, content: text })
  const isPart = Object.keys(args).length > 1
  const fields = document.isJson && start === 0 && !isPart ? exampleFields(outlineOf(document)) : []
  const select = fields.length > 0 ? `; fields: ${call({ select: fields })}` : ''
  return [`[more: ${call({ page })}${select}${isPart ? '' : '; query finds text'}]`]
}

function startOf(
  token: string,
  resource: string,
  content: string,
  starts: () => readonly number[],
): number {
  const decoded = decodePageToken(token, { resource, content, starts })
  if (decoded.ok) return decoded.start
  throw new AggregatorError(
    'bad_argument',
    `page ${quoteValue(token)} is not a page of this result.`,
    'Pass the page named in the last reply, or no page for the first one.',
  )
}

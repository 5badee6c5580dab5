import { countOf } from '#base/count-of'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { JsonObject } from '#servers/protocol/message'
import {
  type Budgets,
  blocksIn,
  type Document,
  documentOf,
  readMoreCall,
  searchTextOf,
} from './document.ts'
import { matchesIn } from './matches-in.ts'
import { isSmallMedia, otherParts } from './other-parts.ts'
import { pageDocument } from './page-document.ts'
import { isRounded, oneValue, type Selection, select, type Wanted } from './select.ts'

/** What `read_more` asks for. */
export interface Part {
  page?: string | undefined
  query?: string | undefined
  select?: Wanted | undefined
  /** JSON as the server wrote it. */
  format?: 'json' | undefined
  /** A value is read alone, as the member `value`; without a path, all of it. */
  value?: { path?: string | undefined }
}

/** A part of a stored result. It is cloned for the worker thread. */
export interface Reading {
  id: string
  /** The result as JSON. */
  text: string
  budgets: Budgets
  /** Without it: what a call replies. */
  part?: Part
  call?: Called
}

/** What is known of the call that has the result. */
export interface Called {
  /** Its arguments; without them, the first page is as long as a reply may be. */
  params?: unknown
  select?: Wanted | undefined
  isKept: boolean
}

/** A result, or what an `AggregatorError` of code `bad_argument` says. */
export type Outcome = { result: JsonObject } | { message: string; remedy: string }

/** Key in `_meta` under which programs find the id of the stored result. */
const metaKey = 'io.github.pith-mcp/result'

// Reading page after page parses the same result once.
let last: { text: string; result: JsonObject } | undefined

/** Entry point of the worker thread, which would lose the class of an error. */
export default async function readPart(reading: Reading, parsed?: JsonObject): Promise<Outcome> {
  const { text, part } = reading
  if (parsed) last = { text, result: parsed }
  if (last?.text !== text) last = { text, result: JSON.parse(text) as JsonObject }
  const { result } = last
  try {
    return { result: part ? await partOf(result, part, reading) : await replyOf(result, reading) }
  } catch (error) {
    if (!(error instanceof AggregatorError)) throw error
    return { message: error.message, remedy: error.remedy }
  }
}

/** What a call replies: what it selects, or the first page. */
async function replyOf(result: JsonObject, reading: Reading): Promise<JsonObject> {
  const { id, budgets, call } = reading
  const wanted = call?.select
  if (wanted === undefined) return firstPage(result, reading)
  const selection = await select(result, wanted)
  if (selection.document === undefined) return firstPage(result, reading, selection.notes)
  const { isKept = true } = call ?? {}
  const page = selectedPage(result, selection, { id, budgets, wanted, isKept })
  return { ...page, _meta: { [metaKey]: { result: id } } }
}

/** The first page of a result. */
function firstPage(
  result: JsonObject,
  { id, budgets, call }: Reading,
  notes: readonly string[] = [],
): JsonObject {
  const isFirst = call !== undefined && 'params' in call
  const { characters, tokens } = isFirst ? budgets.first : budgets.reply
  const parts = otherParts(result, id, characters)
  const rest = {
    characters: Math.max(1, characters - parts.length),
    tokens: Math.max(1, tokens - parts.length),
  }
  const page = pageDocument(
    documentOf(result),
    isFirst ? { ...budgets, first: rest } : { ...budgets, reply: rest },
    {
      args: { result: id },
      ...(isFirst && { params: call.params }),
    },
  )
  const lines = [
    ...notes.map((note) => `[${note}]`),
    page,
    ...parts.notes,
    ...(call?.isKept === false && page !== documentOf(result).text
      ? ['[the result was too large to store: the rest cannot be read]']
      : []),
  ]
  const text = lines.filter((line) => line !== '').join('\n')
  return {
    ...parts.members,
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...parts.blocks],
    ...(result['isError'] !== undefined && { isError: result['isError'] }),
    _meta: { ...parts.meta, [metaKey]: { result: id } },
  }
}

async function partOf(
  result: JsonObject,
  { page, query, select: wanted, format, value }: Part,
  { id, budgets }: Reading,
): Promise<JsonObject> {
  if (value !== undefined) return { value: await oneValue(result, value.path) }
  const args = { result: id, ...(format && { format }) }
  const paged = (document: Document, more: JsonObject): JsonObject =>
    textContent(pageDocument(document, budgets, { args: { ...args, ...more }, page }))
  if (wanted !== undefined) {
    const selection = await select(result, wanted)
    if (selection.document !== undefined)
      return selectedPage(result, selection, { id, budgets, wanted, page, format })
    return firstPage(result, { id, text: '', budgets }, selection.notes)
  }
  if (query === undefined) return paged(documentOf(result), {})
  const text = matchesIn(searchTextOf(result), query)
  if (text !== undefined) return paged({ text, json: undefined, isJson: false }, { query })
  throw new AggregatorError(
    'bad_argument',
    `The result does not contain ${JSON.stringify(query)} in its ${searchTextOf(result).length} characters.`,
    'Try another word, or read the result page by page.',
  )
}

interface Selecting {
  id: string
  budgets: Budgets
  wanted: Wanted
  page?: string | undefined
  format?: 'json' | undefined
  /** False if the rest cannot be read. */
  isKept?: boolean
}

/** What was selected, and one line that says what was not, with the call that gets it. */
function selectedPage(
  result: JsonObject,
  { document, notes }: Selection,
  { id, budgets, wanted, page, format, isKept = true }: Selecting,
): JsonObject {
  const { text, json } = document as Document
  const isMedia = isBlock(json) && isSmallMedia(json)
  const [first, ...more] = wanted
  const args = { result: id, select: more.length === 0 ? first : wanted, ...(format && { format }) }
  const others = blocksIn(result).filter((block) => block['type'] !== 'text').length
  const all = isKept ? `: ${readMoreCall({ result: id })}` : ''
  const size = typeof json === 'string' ? json.length : text.length
  const lines = [
    ...notes,
    ...(isRounded(json)
      ? ['numbers with more than 15 digits are rounded here, not in pages of a text']
      : []),
    `selected ${isMedia ? 'an image or audio' : countOf(size, 'character')}; the whole has ${countOf(documentOf(result).text.length, 'character')}${others > 0 ? ` and ${countOf(others, 'block')} of other types` : ''}${all}`,
  ]
  const line = `[${lines.join('; ')}]`
  if (isMedia) return { content: [json, { type: 'text', text: line }] }
  const { characters, tokens } = budgets.reply
  const reply = {
    characters: Math.max(1, characters - line.length),
    tokens: Math.max(1, tokens - line.length),
  }
  const shown = pageDocument(document as Document, { ...budgets, reply }, { args, page })
  return textContent(`${shown}\n${line}`)
}

const textContent = (text: string): JsonObject => ({ content: [{ type: 'text', text }] })

const isBlock = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

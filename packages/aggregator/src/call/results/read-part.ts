import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { JsonObject } from '#servers/protocol/message'
import { type Budget, type Document, documentOf } from './document.ts'
import { jsonPath } from './json-path.ts'
import { matchesIn } from './matches-in.ts'
import { isSmallMedia, otherParts } from './other-parts.ts'
import { type Place, pageDocument } from './page-document.ts'

/** What `read_more` asks for. */
export interface Part {
  page?: string | undefined
  query?: string | undefined
  path?: string | undefined
}

/** A part of a stored result. It is cloned for the worker thread. */
export interface Reading {
  id: string
  /** The result as JSON. */
  text: string
  budget: Budget
  /** Without it: the first page as a reply, and whether the rest can be read. */
  part?: Part
  isKept?: boolean
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
    return { result: part ? await partOf(result, part, reading) : firstPage(result, reading) }
  } catch (error) {
    if (!(error instanceof AggregatorError)) throw error
    return { message: error.message, remedy: error.remedy }
  }
}

/** The first page of a result. */
export function firstPage(result: JsonObject, { id, budget, isKept }: Reading): JsonObject {
  const parts = otherParts(result, id, budget.characters)
  const textBudget = {
    characters: Math.max(1, budget.characters - parts.length),
    tokens: Math.max(1, budget.tokens - parts.length),
  }
  const lines = [
    pageDocument(documentOf(result), textBudget, { args: { result: id } }),
    ...parts.notes,
    ...(isKept ? [] : ['[the result was too large to store: the rest cannot be read]']),
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
  { page, query, path }: Part,
  { id, budget }: Reading,
): Promise<JsonObject> {
  const document = documentOf(result)
  if (path !== undefined) {
    const within = partOfResult(path)
    const fullResult = { text: '', json: result, isJson: true }
    const part = await jsonPath(within === undefined ? document : fullResult, within ?? path)
    if (isBlock(part.json) && isSmallMedia(part.json)) return { content: [part.json] }
    return paged(part, { result: id, path })
  }
  if (query === undefined) return paged(document, { result: id })
  return paged(
    { text: matchesIn(document, query), json: undefined, isJson: false },
    { result: id, query },
  )

  function paged(part: Document, args: Place['args']): JsonObject {
    return { content: [{ type: 'text', text: pageDocument(part, budget, { args, page }) }] }
  }
}

/** `result.content[2]` refers to the MCP result, not to its text. */
function partOfResult(path: string): string | undefined {
  const [, part] = /^result\.(members|_meta|content\[\d+\].*)$/s.exec(path) ?? []
  return part === 'members' ? '$' : part
}

const isBlock = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

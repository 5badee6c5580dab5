import type { JsonPathQuery } from 'jsonpath-rfc9535/parser'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { quoteValue } from '#servers/protocol/quote-value'

/** A path of RFC 9535 whose cost is in proportion to the document. */
export interface JsonPath {
  text: string
  /** It has one value at most. */
  isSingular: boolean
}

const maxPathLength = 500
/** Times that a path may select the same value. */
const maxTimes = 32

/** @throws {AggregatorError} `bad_argument` for an invalid or an expensive path */
export async function parsePath(input: string): Promise<JsonPath> {
  const text = input.startsWith('$') ? input : /^[.[]/.test(input) ? `$${input}` : `$.${input}`
  if (text.length > maxPathLength) throw tooExpensive(input)
  const query = await parsed(text)
  if (query === undefined)
    throw badPath(input, 'it is not a valid JSONPath', 'Use a path such as $.items[0].name.')
  if (isExpensive(query)) throw tooExpensive(input)
  return { text, isSingular: query.segments.every(isSingular) }
}

/** Characters of all values of a path, as JSON. */
const maxSelected = 8_000_000

/** More is selected than can be returned. */
export class TooMuch extends AggregatorError {
  constructor(path: string) {
    const fault = `${quoteValue(path)} selects more than ${maxSelected} characters`
    super('bad_argument', fault, 'Use a path that selects less.')
  }
}

/** All values of a path, in order. @throws {TooMuch} */
export async function valuesAt(json: unknown, { text }: JsonPath): Promise<unknown[]> {
  const { exec } = await import('jsonpath-rfc9535')
  const values: unknown[] = []
  let room = maxSelected
  // Values may be within each other: the document bounds neither their number nor their size.
  exec(json as never, text, (value) => {
    room -= sizeWithin(value, room)
    if (room < 0) throw new TooMuch(text)
    values.push(value)
  })
  return values
}

/** About the characters of a value as JSON; of one with more than `most`, any number above it. */
function sizeWithin(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 8
  let size = 3
  for (const [key, member] of Object.entries(value)) {
    size += (Array.isArray(value) ? 0 : key.length + 3) + sizeWithin(member, most - size)
    if (size > most) break
  }
  return size
}

async function parsed(text: string): Promise<JsonPathQuery | undefined> {
  const { default: parse } = await import('jsonpath-rfc9535/parser')
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

type Segment = JsonPathQuery['segments'][number]

type SelectorOf<N> = N extends { selectors: (infer S)[] } ? S : never
type Selectors = readonly (Segment['node'] | SelectorOf<Segment['node']>)[]

function selectorsOf({ node }: Segment): Selectors {
  return node.type === 'BracketedSelection' ? node.selectors : [node]
}

const isSingular = (segment: Segment): boolean => {
  const [selector, ...more] = selectorsOf(segment)
  return (
    segment.type === 'ChildSegment' &&
    more.length === 0 &&
    ['NameSelector', 'MemberNameShorthand', 'IndexSelector'].includes(selector?.type ?? '')
  )
}

/**
 * Several descents, and selectors that repeat each other, take more than linear time; so do filters
 * that do more than look at members of their item.
 */
function isExpensive({ segments }: JsonPathQuery): boolean {
  const descents = segments.filter(({ type }) => type === 'DescendantSegment').length
  const times = segments.reduce((product, segment) => product * selectorsOf(segment).length, 1)
  const filters = segments
    .flatMap(selectorsOf)
    .flatMap((selector) => (selector.type === 'FilterSelector' ? [selector.value] : []))
  return descents > 1 || times > maxTimes || filters.some(isExpensiveFilter)
}

/** Regular expressions, and queries that begin at the root, descend, or have filters of their own. */
function isExpensiveFilter(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  const { type, name } = part as { type?: string; name?: string }
  if (type === 'FunctionExpr' && (name === 'match' || name === 'search')) return true
  if (type === 'FilterSelector' || type === 'DescendantSegment') return true
  if (type === 'JsonPathQuery' || type === 'AbsSingularQuery') return true
  return Object.values(part).some(isExpensiveFilter)
}

const badPath = (path: string, why: string, remedy: string): AggregatorError =>
  new AggregatorError('bad_argument', `path ${quoteValue(path)} cannot be used: ${why}.`, remedy)

const tooExpensive = (path: string): AggregatorError =>
  badPath(path, 'it is too long or too expensive', 'Use several shorter paths, or query.')

import type { Tool } from './transcript.ts'

/** What the results of a tool cost. */
export interface ToolCost extends Tool {
  calls: number
  /** Tokens of its results, each counted once. */
  tokens: number
  /** The same, each result counted once for every request that held it. */
  carried: number
}

/** What the record of an aggregator adds to a result of it. */
export interface RecordedResult {
  /** Tokens of the server's result that were not sent. */
  saved: number
  /** Whether it is the aggregator's own, as of a search: a cost that its servers do not have. */
  isOwn: boolean
}

export interface Item extends RecordedResult {
  of: ToolCost | 'input' | 'output'
  tokens: number
  /** Its number among the entries of the context, from 1. */
  entry: number
  /** Of its call. */
  id: string | undefined
  /** Counted before, in a file that this one continues. */
  isCopy: boolean
}

interface Call {
  row: ToolCost
  time: number
  isCopy: boolean
}

/** A conversation that a model sees, as long as it grows. */
export interface Context {
  items: Item[]
  /** Those that no request has had yet. */
  pending: Item[]
  calls: Map<string, Call>
  /** Sums of `items`, by what they are of. */
  held: Map<Item['of'], { tokens: number; own: number; saved: number }>
  entries: number
  /** Of the last request, and whether it was counted. */
  lastKey: string | undefined
  isCounted: boolean
  lastOutput: number
  /** Of the last request; undefined before the first, and after a compaction. */
  input: number | undefined
  preamble: number
  rest: number
}

export const sumOf = (items: readonly Item[]): number =>
  items.reduce((sum, { tokens }) => sum + tokens, 0)

export function scale(items: readonly Item[], factor: number): void {
  for (const item of items) item.tokens *= factor
}

export function hold({ items, held }: Context, item: Item): void {
  const { of, tokens, saved, isOwn } = item
  const sums = held.get(of) ?? { tokens: 0, own: 0, saved: 0 }
  sums.tokens += tokens
  sums.own += isOwn ? tokens : 0
  sums.saved += saved
  held.set(of, sums)
  items.push(item)
}

/** Keeps some of the items, and adds them up again. */
export function keep(context: Context, isKept: (item: Item) => boolean): void {
  const items = context.items.filter(isKept)
  Object.assign(context, { items: [], held: new Map() })
  for (const item of items) hold(context, item)
}

export const emptyContext = (): Context => ({
  ...{ items: [], pending: [], calls: new Map(), held: new Map(), entries: 0 },
  ...{ lastKey: undefined, isCounted: false, lastOutput: 0 },
  ...{ input: undefined, preamble: 0, rest: 0 },
})

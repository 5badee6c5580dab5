import {
  type Context,
  emptyContext,
  hold,
  type Item,
  keep,
  type RecordedResult,
  scale,
  sumOf,
  type ToolCost,
} from './context.ts'
import type { Tool, TranscriptEvent } from './transcript.ts'

/** @returns undefined for a call that no aggregator recorded between two times */
export type FindRecord = (called: Tool, from: number, to: number) => RecordedResult | undefined

/** Tokens of all requests, each with all that it held. `input` is the sum of those after `output`. */
export interface Parts {
  requests: number
  input: number
  output: number
  /** Results of MCP servers. */
  results: number
  /** Results of the client's own tools. */
  ownResults: number
  /** Prompts, and output of the model that stayed. */
  text: number
  /** What the first request of a context had besides: system prompt, definitions, instructions. */
  preamble: number
  /** What came later and no record shows, such as reminders and hidden reasoning. */
  rest: number
}

export interface SessionCost extends Parts {
  id: string
  client: string
  /** Time of the first request. */
  start: number
  /** Carried tokens of results that were an aggregator's own. */
  own: number
  /** Carried tokens of results that an aggregator did not send. */
  saved: number
  /** Names of servers that an aggregator recorded calls for. */
  aggregators: Set<string>
  /** Tokens of the instructions of servers, if the transcript has them. */
  instructions: Map<string, number>
  /** The client loads definitions of tools on demand. */
  defers: boolean
}

type Request = Extract<TranscriptEvent, { kind: 'request' }>
type Result = Extract<TranscriptEvent, { kind: 'result' }>
type Shortening = 'compacted' | 'rewound' | 'cleared'

/** Where a provider counted more than was estimated, results are taken to be larger up to this. */
const maxFactor = 1.5

/** Adds up what transcripts say. */
export class Ledger {
  readonly tools = new Map<string, ToolCost>()
  readonly sessions = new Map<string, SessionCost>()
  /** What was met that a reader of the sums should know, and how often. */
  readonly notes = new Map<string, number>()
  readonly #seen = new Set<string>()
  readonly #records = new Map<string, RecordedResult>()
  readonly #since: number

  /** Counts calls and requests from `since` on, in milliseconds since 1970. */
  constructor(since = Number.NEGATIVE_INFINITY) {
    this.#since = since
  }

  note(what: string, count = 1): void {
    this.notes.set(what, (this.notes.get(what) ?? 0) + count)
  }

  /** Takes the events of one file. */
  open(client: string, file: string, findRecord: FindRecord): { take(e: TranscriptEvent): void } {
    const contexts = new Map<string, Context>()
    let session = file
    let defers = false
    return {
      take: (event) => {
        if (event.kind === 'session') session = event.id
        else if (event.kind === 'unknown') this.note(`${client}: ${event.what}, not known`)
        else if (event.kind === 'defers') defers = true
        else {
          const context = contexts.get(event.context ?? '') ?? emptyContext()
          contexts.set(event.context ?? '', context)
          const cost = this.#session(client, session)
          cost.defers ||= defers
          if (event.kind === 'request') this.#request(context, event, cost)
          else this.#change(context, event, cost, findRecord)
        }
      },
    }
  }

  #session(client: string, id: string): SessionCost {
    const found = this.sessions.get(`${client} ${id}`)
    if (found) return found
    const session = {
      ...{ id, client, start: Number.NaN, defers: false },
      ...{ requests: 0, input: 0, output: 0, own: 0, saved: 0 },
      ...{ results: 0, ownResults: 0, text: 0, preamble: 0, rest: 0 },
      ...{ aggregators: new Set<string>(), instructions: new Map<string, number>() },
    }
    this.sessions.set(`${client} ${id}`, session)
    return session
  }

  #row(called: Tool): ToolCost {
    const key = JSON.stringify([called.via, called.server, called.tool])
    const row = this.tools.get(key) ?? { ...called, calls: 0, tokens: 0, carried: 0 }
    this.tools.set(key, row)
    return row
  }

  /** Whether it was counted in a file that this one continues, or is too old to count. */
  #isCopy(key: string, time: number): boolean {
    const isCopy = this.#seen.has(key) || time < this.#since
    this.#seen.add(key)
    return isCopy
  }

  #change(
    context: Context,
    event: Exclude<TranscriptEvent, { kind: 'request' | 'session' | 'unknown' | 'defers' }>,
    session: SessionCost,
    findRecord: FindRecord,
  ): void {
    const { calls } = context
    const add = (of: Item['of'], tokens: number, more?: Partial<Item>): void => {
      const entry = ++context.entries
      const plain = { id: undefined, saved: 0, isOwn: false, isCopy: false }
      context.pending.push({ of, tokens, entry, ...plain, ...more })
    }
    if (event.kind === 'text') add(event.of, event.tokens)
    else if (event.kind === 'call') {
      const row = this.#row(event.called)
      const isCopy = this.#isCopy(`call ${event.id}`, event.time)
      if (!isCopy) row.calls++
      calls.set(event.id, { row, time: event.time, isCopy })
      add('output', event.tokens)
    } else if (event.kind === 'named') {
      const call = calls.get(event.id)
      if (!call) return
      if (!call.isCopy) call.row.calls--
      call.row = this.#row(event.called)
      if (!call.isCopy) call.row.calls++
    } else if (event.kind === 'result') {
      const call = calls.get(event.id)
      calls.delete(event.id)
      if (call) {
        const { row, time, isCopy } = call
        const record = this.#recordOf(event, row, time, findRecord)
        if (record) session.aggregators.add(row.via ?? row.server ?? '')
        add(row, event.tokens, { ...record, isCopy, id: event.id })
      } else {
        this.note('result of a call that is not there, counted as text')
        add('input', event.tokens)
      }
    } else if (event.kind === 'instructions') session.instructions.set(event.server, event.tokens)
    else this.#shorten(context, event)
  }

  /** Copies of a call have no record of their own. */
  #recordOf({ id, time }: Result, row: Tool, from: number, findRecord: FindRecord) {
    const record =
      this.#records.get(id) ?? (row.server === undefined ? undefined : findRecord(row, from, time))
    if (record) this.#records.set(id, record)
    return record
  }

  #shorten(context: Context, event: Extract<TranscriptEvent, { kind: Shortening }>): void {
    if (event.kind === 'compacted') {
      this.note('compaction, after which results are no longer carried')
      Object.assign(context, { pending: [], input: undefined, preamble: 0, rest: 0 })
      keep(context, () => false)
    } else if (event.kind === 'rewound') {
      this.note('prompt that continues from an earlier one')
      const isKept = ({ entry }: Item): boolean => entry <= event.entries
      context.pending = context.pending.filter(isKept)
      keep(context, isKept)
      Object.assign(context, { entries: event.entries, rest: 0 })
      if (context.input !== undefined) context.input = context.preamble + sumOf(context.items)
    } else {
      this.note('results that the client removed from a context')
      const before = sumOf(context.items)
      keep(context, ({ id }) => id === undefined || !event.calls.includes(id))
      if (context.input !== undefined) context.input -= before - sumOf(context.items)
    }
  }

  #request(context: Context, event: Request, session: SessionCost): void {
    const { key, time, output } = event
    if (key !== undefined && key === context.lastKey) {
      // The last record of a response has all of its output.
      if (context.isCounted) session.output += Math.max(0, output - context.lastOutput)
      context.lastOutput = Math.max(output, context.lastOutput)
      return
    }
    const input = this.#settle(context, event)
    const isOld = key === undefined ? time < this.#since : this.#isCopy(`request ${key}`, time)
    Object.assign(context, { lastKey: key, lastOutput: output, isCounted: !isOld })
    if (isOld) return
    if (Number.isNaN(session.start)) session.start = time
    session.requests++
    session.input += input
    session.output += output
    session.preamble += context.preamble
    session.rest += context.rest
    for (const [of, { tokens, own, saved }] of context.held) {
      if (of === 'input' || of === 'output') session.text += tokens
      else {
        of.carried += tokens
        session[of.server === undefined ? 'ownResults' : 'results'] += tokens
      }
      session.own += own
      session.saved += saved
    }
  }

  /** Decides how many tokens the new items of a request have, so that all add up to its input. */
  #settle(context: Context, { input }: Request): number {
    const { pending, items } = context
    const written = pending.filter(({ of }) => of === 'output')
    const inside = pending.filter(({ of }) => of !== 'output')
    const visible = sumOf(written)
    const wanted = sumOf(inside)
    if (input === undefined) {
      this.note('request without counts of its provider: its tokens are estimates')
      if (context.input !== undefined) context.input += wanted + visible
    } else if (context.input === undefined) {
      const all = [...items, ...pending]
      scale(all, Math.min(1, input / (sumOf(all) || 1)))
      keep(context, () => true)
      Object.assign(context, { input, preamble: input - sumOf(all) })
    } else {
      if (input < context.input) this.#shrink(context, Math.max(0, input - wanted - visible))
      const room = input - context.input
      // What the model wrote stays, but not always what it thought.
      const least = Math.min(room - context.lastOutput, wanted * maxFactor)
      const results = Math.min(Math.max(wanted, least), Math.max(0, room - visible))
      scale(inside, wanted > 0 ? results / wanted : 0)
      scale(written, visible > 0 ? Math.min(1, (room - sumOf(inside)) / visible) : 0)
      context.rest += room - sumOf(pending)
      context.input = input
    }
    for (const { of, tokens, isCopy } of inside)
      if (of !== 'input' && of !== 'output' && !isCopy) of.tokens += tokens
    for (const item of pending) hold(context, item)
    context.pending = []
    return context.input ?? sumOf(context.items)
  }

  /** What was removed is not marked: all that was held is taken to have lost the same share. */
  #shrink(context: Context, input: number): void {
    this.note('context that shrank without a mark')
    const share = context.input ? input / context.input : 0
    scale(context.items, share)
    for (const item of context.items) item.saved *= share
    keep(context, ({ tokens }) => tokens > 0)
    Object.assign(context, {
      ...{ input, preamble: context.preamble * share, rest: context.rest * share },
    })
  }
}

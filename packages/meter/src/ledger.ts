import type { Tool, TranscriptEvent } from './transcript.ts'

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

interface Item extends RecordedResult {
  of: ToolCost | 'input' | 'output'
  tokens: number
  /** Requests of the context before it came. */
  after: number
  /** Counted before, in a file that this one continues. */
  isCopy: boolean
}

interface Call {
  row: ToolCost
  time: number
  isCopy: boolean
}

/** A conversation that a model sees, as long as it grows. */
interface Context {
  items: Item[]
  /** Those that no request has had yet. */
  pending: Item[]
  calls: Map<string, Call>
  requests: number
  lastKey: string | undefined
  lastOutput: number
  /** Of the last request; undefined before the first, and after a compaction. */
  input: number | undefined
  preamble: number
  rest: number
}

type Request = Extract<TranscriptEvent, { kind: 'request' }>

/** Where a provider counted more than was estimated, results are taken to be larger up to this. */
const maxFactor = 1.5

const sumOf = (items: readonly Item[]): number => items.reduce((sum, { tokens }) => sum + tokens, 0)

function scale(items: readonly Item[], factor: number): void {
  for (const item of items) item.tokens *= factor
}

/** Adds up what transcripts say. */
export class Ledger {
  readonly tools = new Map<string, ToolCost>()
  readonly sessions = new Map<string, SessionCost>()
  /** What was met that a reader of the sums should know, and how often. */
  readonly notes = new Map<string, number>()
  readonly #seen = new Set<string>()
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
      const { requests: after } = context
      context.pending.push({ of, tokens, after, saved: 0, isOwn: false, isCopy: false, ...more })
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
        const record = row.server === undefined ? undefined : findRecord(row, time, event.time)
        if (record) session.aggregators.add(row.via ?? row.server ?? '')
        add(row, event.tokens, { ...record, isCopy })
      } else {
        this.note('result of a call that is not there, counted as text')
        add('input', event.tokens)
      }
    } else if (event.kind === 'compacted') {
      this.note('compaction, after which results are no longer carried')
      Object.assign(context, { items: [], pending: [], input: undefined, preamble: 0, rest: 0 })
    } else if (event.kind === 'rewound') {
      this.note('prompt that continues from an earlier one')
      context.pending = []
      context.items = context.items.filter(({ after }) => after < event.requests)
      context.input = context.preamble + sumOf(context.items)
      context.rest = 0
    } else session.instructions.set(event.server, event.tokens)
  }

  #request(context: Context, event: Request, session: SessionCost): void {
    const { key, time, output } = event
    if (key !== undefined && key === context.lastKey) {
      // The last record of a response has all of its output.
      session.output += Math.max(0, output - context.lastOutput)
      context.lastOutput = Math.max(output, context.lastOutput)
      return
    }
    this.#settle(context, event)
    Object.assign(context, { lastKey: key, lastOutput: output, requests: context.requests + 1 })
    if (key === undefined ? time < this.#since : this.#isCopy(`request ${key}`, time)) return
    if (Number.isNaN(session.start)) session.start = time
    session.requests++
    session.input += context.input ?? 0
    session.output += output
    session.preamble += context.preamble
    session.rest += context.rest
    for (const { of, tokens, saved, isOwn } of context.items) {
      if (of === 'input' || of === 'output') session.text += tokens
      else {
        of.carried += tokens
        session[of.server === undefined ? 'ownResults' : 'results'] += tokens
      }
      if (isOwn) session.own += tokens
      session.saved += saved
    }
  }

  /** Decides how many tokens the new items of a request have, so that all add up to its input. */
  #settle(context: Context, { input }: Request): void {
    const { pending } = context
    const written = pending.filter(({ of }) => of === 'output')
    const inside = pending.filter(({ of }) => of !== 'output')
    const visible = sumOf(written)
    const wanted = sumOf(inside)
    if (input === undefined) {
      this.note('request without counts of its provider: its tokens are estimates')
      context.input = (context.input ?? 0) + wanted + visible
    } else if (context.input === undefined) {
      scale(pending, Math.min(1, input / (wanted + visible || 1)))
      Object.assign(context, { input, preamble: input - sumOf(pending) })
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
    context.items.push(...pending)
    context.pending = []
  }

  /** What was removed is not marked: all that was held is taken to have lost the same share. */
  #shrink(context: Context, input: number): void {
    this.note('context that shrank without a mark')
    const share = context.input ? input / context.input : 0
    scale(context.items, share)
    for (const item of context.items) item.saved *= share
    context.items = context.items.filter(({ tokens }) => tokens > 0)
    Object.assign(context, {
      ...{ input, preamble: context.preamble * share, rest: context.rest * share },
    })
  }
}

const emptyContext = (): Context => ({
  ...{ items: [], pending: [], calls: new Map(), requests: 0 },
  ...{ lastKey: undefined, lastOutput: 0, input: undefined, preamble: 0, rest: 0 },
})

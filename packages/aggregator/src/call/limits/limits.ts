import type PQueue from 'p-queue'
import type { LimitSettings, Rate } from '../../config/limit-settings.ts'
import type { ServerConfig } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import type { Exchange, Session } from '../../protocol/exchange.ts'
import type { CountCalls, Counter } from './count-calls.ts'

/** Who may call how often, how many at once, and what a session may cost. */
export interface Limits {
  /** A client wants something. Rejects with `rate_limited` or `budget_spent`. */
  admit(exchange: Exchange): Promise<void>
  /** A tool is about to be called: wait for its turn. The returned function gives it up. */
  enter(server: ServerConfig, tool: string, exchange: Exchange): Promise<() => void>
  /** A result was sent. */
  spend(session: Session, tokens: number): void
  /** How many calls wait for their turn at a server. */
  waitingAt(server: string): number
  /** Also what servers take at once, for those that wait already. */
  replace(settings: LimitSettings, servers: readonly ServerConfig[]): void
}

/** Calls that wait for their turn at one server. */
const mostWaiting = 1_000

/** What counts is loaded where there is something to count: it takes more than all else here. */
export function createLimits(given: LimitSettings, shared?: CountCalls): Limits {
  let settings = given
  const counters = new Map<string, Counter>()
  const queues = new Map<string, PQueue>()
  const spent = new WeakMap<Session, number>()

  async function count(key: string, rate: Rate | undefined, what: string): Promise<void> {
    if (rate === undefined) return
    const name = `${rate.calls}/${rate.seconds}`
    const countCalls = shared ?? (await import('./count-calls.ts')).countInMemory
    const counter = counters.get(name) ?? countCalls(rate)
    counters.set(name, counter)
    const waitMs = await counter(key)
    if (waitMs === undefined) return
    throw new AggregatorError(
      'rate_limited',
      `${what} may be called ${rate.calls} times in ${rate.seconds} s, and that many calls were made. Nothing was called.`,
      `Call again in ${Math.ceil(waitMs / 1000)} s.`,
    )
  }

  async function turnAt(server: ServerConfig, signal: AbortSignal): Promise<() => void> {
    const { atOnce } = server.limits ?? {}
    if (atOnce === undefined) return () => {}
    const { default: Queue } = await import('p-queue')
    const queue = queues.get(server.name) ?? new Queue({ concurrency: atOnce })
    queues.set(server.name, queue)
    if (queue.size >= mostWaiting)
      throw new AggregatorError(
        'too_many',
        `${mostWaiting} calls wait for ${server.name} already, which takes ${atOnce} at once. Nothing was called.`,
        'Call again later.',
      )
    const late = AbortSignal.timeout(server.timeoutMs)
    return new Promise((resolve, reject) => {
      const turn = (): Promise<void> => new Promise((leave) => resolve(leave))
      queue
        .add(turn, { signal: AbortSignal.any([signal, late]) })
        .catch((error: unknown) => reject(late.aborted ? waitedTooLong(server) : error))
    })
  }

  return {
    async admit({ session }) {
      const caller = session.access?.caller
      const own = caller === undefined ? undefined : settings.callers?.[caller]
      await count(`caller ${caller ?? ''}`, own?.rate ?? settings.caller, 'Tools')
      const budget = own?.sessionTokens ?? settings.sessionTokens
      const used = spent.get(session) ?? 0
      if (budget !== undefined && used >= budget)
        throw new AggregatorError(
          'budget_spent',
          `The results of this session have taken about ${used} tokens, of ${budget} it may take. Nothing was called.`,
          'Go on with what is known, or in a new session; sessionTokens in the configuration sets the budget.',
        )
    },
    async enter(server, tool, { signal }) {
      await count(
        `server ${server.name}`,
        server.limits?.rate ?? settings.server,
        `Tools of ${server.name}`,
      )
      await count(`tool ${server.name}.${tool}`, settings.tool, `${server.name}.${tool}`)
      return turnAt(server, signal)
    },
    spend(session, tokens) {
      spent.set(session, (spent.get(session) ?? 0) + tokens)
    },
    waitingAt: (server) => queues.get(server)?.size ?? 0,
    replace(next, servers) {
      settings = next
      for (const { name, limits } of servers) {
        const queue = queues.get(name)
        if (queue) queue.concurrency = limits?.atOnce ?? Number.POSITIVE_INFINITY
      }
    },
  }
}

const waitedTooLong = ({ name, timeoutMs, limits }: ServerConfig): AggregatorError =>
  new AggregatorError(
    'timeout',
    `${name} takes ${limits?.atOnce} calls at once, and no turn came within ${timeoutMs / 1000} s. Nothing was called.`,
    'Call again later.',
  )

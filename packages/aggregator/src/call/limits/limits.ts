import { LRUCache } from 'lru-cache'
import type PQueue from 'p-queue'
import type { LimitSettings, Rate } from '../../config/limit-settings.ts'
import type { ServerConfig } from '../../config/server-config.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { abortSignalOf, type Cancellable } from '../../protocol/cancellation.ts'
import type { RequestContext, Session } from '../../protocol/request-context.ts'
import type { Counter } from './rate-limiter.ts'
import type { SharedLimits } from './redis-limits.ts'

/** Rate limits, concurrency limits and token budgets. */
export type Limits = ReturnType<typeof createLimits>

/** Milliseconds for which the tokens of a session without calls are remembered. */
const budgetMs = 8 * 3_600_000
/** Sessions whose tokens are remembered. */
const maxBudgets = 20_000

/** A credential has one budget, whatever its sessions, profiles and modes are. */
const budgetKey = ({ access, owner, id }: Session): string => access?.caller ?? owner ?? id

/** Calls that wait for a slot of one server. */
const maxWaiting = 1_000

/**
 * The limiter is loaded only if there is a rate to check: it takes more memory than the rest of
 * this file.
 */
export function createLimits(initialSettings: LimitSettings, shared?: SharedLimits) {
  let settings = initialSettings
  const counters = new Map<string, Counter>()
  const slots = createSlots(shared)
  const usedTokens = new LRUCache<string, number>({
    max: maxBudgets,
    ttl: budgetMs,
    updateAgeOnGet: true,
  })

  const ownOf = ({ access }: Session) =>
    access?.caller === undefined ? undefined : settings.callers?.[access.caller]
  const budgetOf = (session: Session): number | undefined =>
    ownOf(session)?.sessionTokens ?? settings.sessionTokens

  async function count(key: string, rate: Rate | undefined, what: string): Promise<void> {
    if (rate === undefined) return
    const name = `${rate.calls}/${rate.seconds}`
    const createLimiter = shared?.count ?? (await import('./rate-limiter.ts')).inMemoryRateLimiter
    const counter = counters.get(name) ?? createLimiter(rate)
    counters.set(name, counter)
    const waitMs = await counter(key)
    if (waitMs !== undefined) throw rateLimited(what, rate, waitMs)
  }

  return {
    /** Checks the limits of a client. Rejects with `rate_limited` or `budget_spent`. */
    async checkLimits({ session }: Pick<RequestContext, 'session'>): Promise<void> {
      const { caller = '' } = session.access ?? {}
      await count(`caller ${caller}`, ownOf(session)?.rate ?? settings.caller, 'Tools')
      const budget = budgetOf(session)
      if (budget === undefined) return
      const spent =
        (await shared?.spent(budgetKey(session))) ?? usedTokens.get(budgetKey(session)) ?? 0
      if (spent >= budget) throw budgetSpent(spent, budget)
    },
    /**
     * Waits for a free slot before a server is sent a request, which calls `tool` if it is given.
     * Returns a function that releases the slot.
     */
    async waitTurn(
      server: ServerConfig,
      tool: string | undefined,
      { signal }: Pick<RequestContext, 'signal'>,
    ): Promise<() => void> {
      const rate = server.limits?.rate ?? settings.server
      await count(`server ${server.name}`, rate, `Tools of ${server.name}`)
      if (tool !== undefined)
        await count(`tool ${server.name}.${tool}`, settings.tool, `${server.name}.${tool}`)
      return slots.acquire(server, signal)
    },
    /** Adds the tokens of a sent result. */
    recordUsage(session: Session, tokens: number): void {
      // A call costs no command where nothing is limited.
      if (budgetOf(session) === undefined) return
      const key = budgetKey(session)
      shared?.spend(key, tokens)
      usedTokens.set(key, (usedTokens.get(key) ?? 0) + tokens)
    },
    /** Number of calls that wait for a slot of a server. */
    waitingAt: slots.waitingAt,
    /** Replaces all limits; also applies to calls that wait already. */
    replace(next: LimitSettings, servers: readonly ServerConfig[]): void {
      settings = next
      slots.replace(servers)
    },
  }
}

/** Calls that a server runs at the same time; others wait in order. */
function createSlots(shared: SharedLimits | undefined) {
  const queues = new Map<string, PQueue>()
  return {
    async acquire(server: ServerConfig, signal: Cancellable): Promise<() => void> {
      const { maxConcurrency } = server.limits ?? {}
      if (maxConcurrency === undefined) return () => {}
      const { default: Queue } = await import('p-queue')
      const queue = queues.get(server.name) ?? new Queue({ concurrency: maxConcurrency })
      queues.set(server.name, queue)
      if (queue.size >= maxWaiting)
        throw new AggregatorError(
          'too_many',
          `${server.name} runs ${maxConcurrency} calls at the same time, and ${maxWaiting} calls are waiting already. Nothing was called.`,
          'Try again later.',
        )
      const late = AbortSignal.timeout(server.timeoutMs)
      const eitherSignal = AbortSignal.any([abortSignalOf(signal), late])
      return new Promise((resolve, reject) => {
        // Our own queue is first in, first out; other processes have the rest of the slots.
        const slot = async (): Promise<void> => {
          const free = await shared?.acquire(server.name, maxConcurrency, eitherSignal)
          await new Promise<void>((leave) => resolve(leave))
          free?.()
        }
        queue
          .add(slot, { signal: eitherSignal })
          .catch((error: unknown) => reject(late.aborted ? waitTimeout(server) : error))
      })
    },
    waitingAt: (server: string): number => queues.get(server)?.size ?? 0,
    replace(servers: readonly ServerConfig[]): void {
      for (const { name, limits } of servers) {
        const queue = queues.get(name)
        if (queue) queue.concurrency = limits?.maxConcurrency ?? Number.POSITIVE_INFINITY
      }
    },
  }
}

const rateLimited = (what: string, { calls, seconds }: Rate, waitMs: number): AggregatorError =>
  new AggregatorError(
    'rate_limited',
    `${what} can be called ${calls} times in ${seconds} s, and the limit is reached. Nothing was called.`,
    `Call again in ${Math.ceil(waitMs / 1000)} s.`,
  )

const budgetSpent = (spent: number, budget: number): AggregatorError =>
  new AggregatorError(
    'budget_spent',
    `The results of this session took about ${spent} tokens of a budget of ${budget}. Nothing was called.`,
    'Continue without further calls or in a new session. To raise the budget, change sessionTokens in the configuration.',
  )

const waitTimeout = ({ name, timeoutMs, limits }: ServerConfig): AggregatorError =>
  new AggregatorError(
    'timeout',
    `${name} runs ${limits?.maxConcurrency} calls at the same time, and none ended within ${timeoutMs / 1000} s. Nothing was called.`,
    'Try again later.',
  )

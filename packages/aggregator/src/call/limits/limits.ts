import { LRUCache } from 'lru-cache'
import type PQueue from 'p-queue'
import type { LimitSettings, Rate } from '#servers/config/limit-settings'
import type { ServerConfig } from '#servers/config/server-config'
import { AggregatorError, refusedBy } from '#servers/protocol/aggregator-error'
import { abortSignalOf, type Cancellable } from '#servers/protocol/cancellation'
import {
  type Admit,
  type Claim,
  connectionOf,
  type RequestContext,
  type Session,
} from '#servers/protocol/request-context'
import { serverSetting } from '../../catalog/policy/tool-rules.ts'
import { maxConcurrencyOf } from '../../upstream/sharing.ts'
import { inMemoryRateLimiter } from './rate-limiter.ts'
import type { SharedLimits } from './shared-limits.ts'

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

/** Counts calls and tokens, and grants slots; in this process, or shared with others. */
export function createLimits(initialSettings: LimitSettings, shared?: SharedLimits) {
  let settings = initialSettings
  const counter = shared?.count ?? inMemoryRateLimiter()
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
  async function count(claims: readonly Claim[] = [], isCounted = true): Promise<void> {
    const [reached = 0, waitMs = 0] = claims.length === 0 ? [] : await counter(claims, isCounted)
    const claim = claims[reached - 1]
    if (claim) throw rateLimited(claim, waitMs)
  }

  async function checkLimits(session: Session, claims: readonly Claim[], isCounted = true) {
    const caller = session.access?.caller ?? connectionOf(session)
    const rate = ownOf(session)?.rate ?? settings.caller
    const setting = settingOf(session, ownOf(session), 'rate', 'caller')
    const callerClaims = claimsOf(`caller ${caller}`, rate, { what: 'Tools', setting })
    const budget = budgetOf(session)
    if (budget === undefined) return count([...callerClaims, ...claims], isCounted)
    await count(callerClaims, isCounted)
    const spent =
      (await shared?.spent(budgetKey(session))) ?? usedTokens.get(budgetKey(session)) ?? 0
    const own = ownOf(session)
    if (spent >= budget) throw budgetSpent(spent, budget, settingOf(session, own, 'sessionTokens'))
    await count(claims, isCounted)
  }

  return {
    /** Counts a call: once against the limits of its client, and then against the claims. */
    admission({ session }: Pick<RequestContext, 'session'>): Admit {
      let checked: Promise<void> | undefined
      return (claims = []) => {
        checked = checked?.then(() => count(claims)) ?? checkLimits(session, claims)
        return checked
      }
    },
    /** Counts nothing. @throws {AggregatorError} if a limit is reached */
    check: (session: Session, server: ServerConfig, tool: string) =>
      checkLimits(session, claimsOn(server, tool, settings), false),
    /**
     * Waits for a free slot before a server is sent a request, which calls `tool` if it is given.
     * Returns a function that releases the slot.
     */
    async waitTurn(
      server: ServerConfig,
      tool: string | undefined,
      { signal, admit = count }: Pick<RequestContext, 'signal' | 'admit'>,
    ): Promise<() => void> {
      await admit(claimsOn(server, tool, settings))
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

/** The path of a limit of a client: its own, or that of all. */
const settingOf = (
  { access }: Session,
  own: object | undefined,
  key: 'rate' | 'sessionTokens',
  common: string = key,
): string =>
  own !== undefined && key in own
    ? `aggregator.callers.${access?.caller}.${key}`
    : `aggregator.limits.${common}`

function claimsOn(
  server: ServerConfig,
  tool: string | undefined,
  settings: LimitSettings,
): Claim[] {
  const { name } = server
  const { rate } = server.limits ?? {}
  const setting = rate === undefined ? 'aggregator.limits.server' : serverSetting(server, 'rate')
  const ofServer = { what: `Tools of ${name}`, setting }
  const ofTool = { what: `${name}.${tool}`, setting: 'aggregator.limits.tool' }
  return [
    ...claimsOf(`server ${name}`, rate ?? settings.server, ofServer),
    ...(tool === undefined ? [] : claimsOf(`tool ${name}.${tool}`, settings.tool, ofTool)),
  ]
}

/** Calls that a server runs at the same time; others wait in order. */
function createSlots(shared: SharedLimits | undefined) {
  const queues = new Map<string, PQueue>()
  return {
    async acquire(server: ServerConfig, signal: Cancellable): Promise<() => void> {
      const maxConcurrency = maxConcurrencyOf(server)
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
      for (const server of servers) {
        const queue = queues.get(server.name)
        if (queue) queue.concurrency = maxConcurrencyOf(server) ?? Number.POSITIVE_INFINITY
      }
    },
  }
}

/** Redis Cluster keeps keys with the same tag at one place. */
const claimsOf = (
  holder: string,
  rate: Rate | undefined,
  { what, setting }: Pick<Claim, 'what' | 'setting'>,
): Claim[] =>
  rate ? [{ key: `{pith}:${rate.calls}:${rate.seconds}:${holder}`, rate, what, setting }] : []

const rateLimited = (
  { what, setting, rate: { calls, seconds } }: Claim,
  waitMs: number,
): AggregatorError =>
  refusedBy(
    setting,
    'rate_limited',
    `${what} can be called ${calls} times in ${seconds} s, and the limit is reached. Nothing was called.`,
    `Call again in ${Math.ceil(waitMs / 1000)} s.`,
  )

const budgetSpent = (spent: number, budget: number, setting: string): AggregatorError =>
  refusedBy(
    setting,
    'budget_spent',
    `The results of this session took about ${spent} tokens of a budget of ${budget}. Nothing was called.`,
    'Continue without further calls or in a new session. The configuration sets the budget.',
  )

const waitTimeout = ({ name, timeoutMs, limits }: ServerConfig): AggregatorError =>
  new AggregatorError(
    'timeout',
    `${name} runs ${limits?.maxConcurrency} calls at the same time, and none ended within ${timeoutMs / 1000} s. Nothing was called.`,
    'Try again later.',
  )

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inMemoryRateLimiter, type SharedLimits } from '@pith-mcp/aggregator'
import type { RedisConnection } from './open-redis.ts'

/** Seconds for which the tokens of a session are remembered. */
const budgetSeconds = 8 * 3_600
/** Milliseconds after which the slots of a process that has ended are free. */
const slotMs = 6_000
const renewMs = 2_000
/** Milliseconds between looks for a free slot, at first and at most. */
const firstPauseMs = 5
const maxPauseMs = 100

/** Counts all rates of a call in one round trip, which takes a fifth of its processor time. */
const countCall = `for i, key in ipairs(KEYS) do
  redis.call('SET', key, 0, 'PX', ARGV[2 * i], 'NX')
  local calls = tonumber(redis.call('GET', key))
  if ARGV[#ARGV] == '1' then redis.call('INCR', key) end
  if calls >= tonumber(ARGV[2 * i - 1]) then return { i, redis.call('PTTL', key) } end
end
return {}`

/** Takes a slot if one is free. Times are Redis's own: clocks of replicas differ. */
const take = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) and not redis.call('ZSCORE', KEYS[1], ARGV[2]) then
  return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3] * 2)
return 1`

/**
 * Counts in Redis, together with all processes that use it. While it cannot be used, each process
 * counts on its own.
 */
export function createRedisLimits(redis: RedisConnection): SharedLimits {
  const countHere = inMemoryRateLimiter()
  const budgetOf = (session: string): string => `pith:budget:${session}`
  return {
    async count(claims, isCounted = true) {
      const keys = claims.map(({ key }) => key)
      const rates = claims.flatMap(({ rate }) => [rate.calls, Math.ceil(rate.seconds * 1000)])
      const counted = await redis.attempt((client) =>
        client.eval(countCall, keys.length, ...keys, ...rates, Number(isCounted)),
      )
      return Array.isArray(counted?.value)
        ? counted.value.map(Number)
        : countHere(claims, isCounted)
    },
    async spent(session) {
      const reply = await redis.attempt((client) => client.get(budgetOf(session)))
      return Number(reply?.value) || 0
    },
    spend(session, tokens) {
      const key = budgetOf(session)
      void redis.attempt((client) =>
        client.pipeline().incrby(key, Math.round(tokens)).expire(key, budgetSeconds).exec(),
      )
    },
    async acquire(name, max, signal) {
      const key = `pith:slots:${name}`
      const id = randomUUID()
      const takeSlot = (): Promise<{ value: unknown } | undefined> =>
        redis.attempt((client) => client.eval(take, 1, key, max, id, slotMs))
      for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
        const got = await takeSlot()
        if (got?.value === 1) break
        // Without an answer that is one, each process counts on its own.
        if (got?.value !== 0) return () => {}
        await sleep(pause * (0.5 + Math.random()), undefined, { signal })
      }
      const timer = setInterval(() => void takeSlot(), renewMs).unref()
      return () => {
        clearInterval(timer)
        void redis.attempt((client) => client.zrem(key, id))
      }
    },
    close: redis.close,
  }
}

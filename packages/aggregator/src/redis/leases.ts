import type { RedisConnection } from './open-redis.ts'

/** An exclusive right among replicas, which is renewed until it is released or lost. */
export interface Lease {
  isHeld(): boolean
  /** Replaces the text that others see. */
  note(text: string): Promise<void>
  release(): Promise<void>
}

/** Grants exclusive rights among replicas. */
export type Leases = ReturnType<typeof createLeases>

/** Milliseconds after which the lease of a replica that has ended is free. */
const leaseMs = 4_000
const renewMs = 1_000
/** Milliseconds for which the holder of a lease is not looked up again. */
const knownMs = 500

const keyOf = (name: string): string => `pith:lease:${name}`
/** Sets or deletes only what is still ours. */
const renew = `if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end return false`
const drop = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`

/** Leases in Redis. Without Redis none is granted, and no holder is known. */
export function createLeases(redis: RedisConnection) {
  const holders = new Map<string, { at: number; holder: Promise<string | undefined> }>()
  return {
    /** The lease, or undefined if another replica has it. `text` tells others who holds it. */
    async acquire(name: string, text: string): Promise<Lease | undefined> {
      const key = keyOf(name)
      let own = text
      const set = await redis.attempt((client) => client.set(key, own, 'PX', leaseMs, 'NX'))
      if (set?.value !== 'OK') return undefined
      holders.delete(name)
      let renewedAt = performance.now()
      const timer = setInterval(() => void write(own), renewMs).unref()
      async function write(next: string): Promise<void> {
        const sentAt = performance.now()
        const done = await redis.attempt((client) => client.eval(renew, 1, key, own, next, leaseMs))
        if (done?.value === 'OK') {
          own = next
          renewedAt = sentAt
        } else if (done) clearInterval(timer)
      }
      return {
        isHeld: () => performance.now() - renewedAt < leaseMs,
        note: write,
        async release() {
          clearInterval(timer)
          renewedAt = Number.NEGATIVE_INFINITY
          await redis.attempt((client) => client.eval(drop, 1, key, own))
        },
      }
    },
    /** The text of the holder; undefined without one. */
    async holderOf(name: string): Promise<string | undefined> {
      const now = performance.now()
      const known = holders.get(name)
      if (known && now - known.at < knownMs) return known.holder
      const asked = redis.attempt((client) => client.get(keyOf(name)))
      const holder = asked.then((found) => found?.value ?? undefined)
      holders.set(name, { at: now, holder })
      return holder
    },
    /** The next look-up asks Redis. */
    forget: (name: string) => void holders.delete(name),
  }
}

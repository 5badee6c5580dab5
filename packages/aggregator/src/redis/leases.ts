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
/** Sets only what is still ours, or what Redis has lost while it was. */
const renew = `local held = redis.call('GET', KEYS[1])
if held == ARGV[1] or (not held and ARGV[4] == '1') then
  return redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end return false`
const drop = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`

/** Leases in Redis. Without Redis none is granted. */
export function createLeases(redis: RedisConnection) {
  const holders = new Map<string, { at: number; holder: Promise<string | undefined> }>()
  const lastHolders = new Map<string, { at: number; holder: string }>()
  /** After a restart Redis knows of no lease until it is renewed. */
  function lately(name: string, reply: object | undefined): string | undefined {
    const last = lastHolders.get(name)
    if (last === undefined) return undefined
    if (reply === undefined) last.at = performance.now()
    return performance.now() - last.at < leaseMs ? last.holder : undefined
  }
  return {
    /** The lease, or undefined if another replica has it. `text` tells others who holds it. */
    async acquire(name: string, text: string): Promise<Lease | undefined> {
      const key = keyOf(name)
      let content = text
      const set = await redis.attempt((client) => client.set(key, content, 'PX', leaseMs, 'NX'))
      if (set?.value !== 'OK') return undefined
      holders.delete(name)
      let renewedAt = performance.now()
      const isHeld = (): boolean => performance.now() - renewedAt < leaseMs
      const timer = setInterval(() => void write(content), renewMs).unref()
      async function write(next: string): Promise<void> {
        const sentAt = performance.now()
        const args = [content, next, leaseMs, isHeld() ? '1' : '0']
        const done = await redis.attempt((client) => client.eval(renew, 1, key, ...args))
        if (done?.value === 'OK') {
          content = next
          renewedAt = sentAt
        } else if (done) {
          clearInterval(timer)
          renewedAt = Number.NEGATIVE_INFINITY
        }
      }
      return {
        isHeld,
        note: write,
        async release() {
          clearInterval(timer)
          renewedAt = Number.NEGATIVE_INFINITY
          await redis.attempt((client) => client.eval(drop, 1, key, content))
        },
      }
    },
    /**
     * The text of the holder; undefined without one. While Redis cannot be used, and shortly
     * after, it is who was known last.
     */
    async holderOf(name: string): Promise<string | undefined> {
      const now = performance.now()
      const cached = holders.get(name)
      if (cached && now - cached.at < knownMs) return cached.holder
      const lookup = redis.attempt((client) => client.get(keyOf(name)))
      const holder = lookup.then((reply) => {
        if (reply?.value == null) return lately(name, reply)
        lastHolders.set(name, { at: performance.now(), holder: reply.value })
        return reply.value
      })
      holders.set(name, { at: now, holder })
      return holder
    },
    /** The next look-up asks Redis. */
    forget(name: string): void {
      holders.delete(name)
      lastHolders.delete(name)
    },
  }
}

import { randomBytes } from 'node:crypto'
import type { Signer } from '#base/signer'
import type { RedisConnection } from './open-redis.ts'

/** An exclusive right among replicas, which is renewed until it is released or lost. */
export interface Lease {
  isHeld(): boolean
  /** Replaces the text that others see. */
  note(text: string): Promise<void>
  release(): Promise<void>
}

/** Who has a lease. */
interface Holder {
  text: string
  /** Milliseconds by which its `replicaClock` is ahead of ours. */
  ahead: number
}

/** Grants exclusive rights among replicas. */
export type Leases = ReturnType<typeof createLeases>

/** Milliseconds after which the lease of a replica that has ended is free. */
const leaseMs = 4_000
const renewMs = 1_000
/** Milliseconds for which the holder of a lease is not looked up again. */
const knownMs = 500
/** Milliseconds by which clocks may differ, so that a stored lease is of no use later. */
const maxSkewMs = 3_600_000

/** Milliseconds since 1970, as known when the process started: later changes of the clock do not count. */
export const replicaClock = (): number => performance.timeOrigin + performance.now()

// Earlier versions, which do not sign leases, have them elsewhere.
const keyOf = (name: string): string => `pith:lease-2:${name}`
const ifOurs = `local held = redis.call('GET', KEYS[1])
local ours = held and string.sub(held, 1, #ARGV[1]) == ARGV[1] `
/** Sets only what is still ours, or what Redis has lost while it was. */
const renew = `${ifOurs} if ours or (not held and ARGV[4] == '1') then
  return redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end return false`
const drop = `${ifOurs} if ours then return redis.call('DEL', KEYS[1]) end`
const read = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`

interface Seen extends Holder {
  holder: string
  until: number
  expiresAt: number
}

/** The holders of leases. */
function createLookups(redis: RedisConnection, signer: Signer, onLog: (text: string) => void) {
  const lookups = new Map<string, { at: number; holder: Promise<Holder | undefined> }>()
  const seenByName = new Map<string, Seen>()
  /** Names that Redis gave no answer for at the last look-up. */
  const unanswered = new Set<string>()
  let isReported = false

  function see(name: string, value: string, ttl: number): void {
    const [holder = '', until = '', mac = '', ...words] = value.split(' ')
    const text = words.join(' ')
    const isSigned = signer.isSigned(mac, name, holder, until, text)
    if (!isSigned && !isReported) {
      isReported = true
      onLog('A lease in Redis is not signed with PITH_CLUSTER_KEY. Such leases do not count.')
    }
    const skew = Number(until) - replicaClock()
    if (!isSigned || Math.abs(skew) > maxSkewMs) return
    const last = seenByName.get(name)
    // Repeating a value is not renewing it.
    if (last?.holder === holder && last.until >= Number(until)) return
    const leftMs = Math.max(0, Math.min(ttl, leaseMs))
    const expiresAt = performance.now() + leftMs
    seenByName.set(name, { text, holder, until: Number(until), ahead: skew - leftMs, expiresAt })
  }

  async function lookUp(name: string): Promise<Holder | undefined> {
    const reply = await redis.attempt((client) => client.eval(read, 1, keyOf(name)))
    if (reply === undefined) unanswered.add(name)
    else unanswered.delete(name)
    const [value, ttl]: unknown[] = Array.isArray(reply?.value) ? reply.value : []
    if (typeof value === 'string') see(name, value, Number(ttl) || 0)
    const lease = seenByName.get(name)
    if (lease && reply === undefined) lease.expiresAt = performance.now() + leaseMs
    // After a restart Redis knows of no lease until it is renewed.
    return lease && performance.now() < lease.expiresAt ? lease : undefined
  }

  return {
    /**
     * The holder; undefined without one. While Redis cannot be used, and shortly after, it is who
     * was known last.
     */
    async holderOf(name: string): Promise<Holder | undefined> {
      const now = performance.now()
      const cached = lookups.get(name)
      if (cached && now - cached.at < knownMs) return cached.holder
      const holder = lookUp(name)
      lookups.set(name, { at: now, holder })
      return holder
    },
    /** True if no holder is known because Redis did not answer: there may be one. */
    isUnknown: (name: string): boolean => unanswered.has(name),
    /** The next look-up asks Redis. */
    forget(name: string): void {
      lookups.delete(name)
      seenByName.delete(name)
    },
  }
}

/**
 * Leases in Redis. Without Redis none is granted. What is not signed does not exist: a value binds
 * its name, its holder and its time, and lasts only while it is renewed.
 */
export function createLeases(
  redis: RedisConnection,
  signer: Signer,
  onLog: (text: string) => void,
) {
  const lookups = createLookups(redis, signer, onLog)
  return {
    /** The lease, or undefined if another replica has it. `text` tells others who holds it. */
    async acquire(name: string, text: string): Promise<Lease | undefined> {
      const key = keyOf(name)
      const holder = randomBytes(9).toString('base64url')
      let content = text
      const signed = (): string => {
        const until = String(Math.round(replicaClock() + leaseMs))
        return `${holder} ${until} ${signer.sign(name, holder, until, content)} ${content}`
      }
      const set = await redis.attempt((client) => client.set(key, signed(), 'PX', leaseMs, 'NX'))
      if (set?.value !== 'OK') return undefined
      lookups.forget(name)
      let renewedAt = performance.now()
      const isHeld = (): boolean => performance.now() - renewedAt < leaseMs
      const timer = setInterval(() => void write(), renewMs).unref()
      async function write(): Promise<void> {
        const sentAt = performance.now()
        const args = [holder, signed(), leaseMs, isHeld() ? '1' : '0']
        const done = await redis.attempt((client) => client.eval(renew, 1, key, ...args))
        if (done?.value === 'OK') renewedAt = sentAt
        else if (done) {
          clearInterval(timer)
          renewedAt = Number.NEGATIVE_INFINITY
        }
      }
      return {
        isHeld,
        note(next) {
          content = next
          return write()
        },
        async release() {
          clearInterval(timer)
          renewedAt = Number.NEGATIVE_INFINITY
          await redis.attempt((client) => client.eval(drop, 1, key, holder))
        },
      }
    },
    ...lookups,
  }
}

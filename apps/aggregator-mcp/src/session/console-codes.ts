import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const validMs = 600_000
const mostUsed = 10_000

/** A code that opens the console, made by whoever has the key: 10 minutes, or until it is used. */
export function createConsoleCode(key: string, now: number = Date.now()): string {
  const said = `${(now + validMs).toString(36)}.${randomBytes(12).toString('base64url')}`
  return `${said}.${sign(said, key)}`
}

/** Whether a code is good, once for each. */
export function createCodeCheck(
  key: string,
  now: () => number = Date.now,
): (code: string) => boolean {
  const used = new LRUCache<string, true>({ max: mostUsed, ttl: validMs })
  return (code) => {
    const [until = '', nonce = '', signature = '', ...more] = code.split('.')
    const said = `${until}.${nonce}`
    if (more.length > 0 || !isSame(signature, sign(said, key))) return false
    if (!(Number.parseInt(until, 36) > now()) || used.has(said)) return false
    used.set(said, true)
    return true
  }
}

const sign = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

const isSame = (given: string, right: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

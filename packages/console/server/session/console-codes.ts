import { randomBytes } from 'node:crypto'
import type { Documents } from '@pith-mcp/server-kit/database'
import { LRUCache } from 'lru-cache'
import { isProof, proofOf } from './proof.ts'

/** 10 minutes. */
const validMs = 600_000
/** Used codes to remember. */
const maxUsed = 10_000

/** Create a code that signs in to the console once, within 10 minutes. */
export function createConsoleCode(key: string, now: number = Date.now()): string {
  const payload = `${(now + validMs).toString(36)}.${randomBytes(12).toString('base64url')}`
  return `${payload}.${proofOf(key, payload)}`
}

/** Check codes. Each valid code is accepted once. */
export function createCodeCheck(
  key: string,
  now: () => number = Date.now,
  documents?: Documents,
): (code: string) => boolean | Promise<boolean> {
  const used = new LRUCache<string, true>({ max: maxUsed, ttl: validMs })
  return (code) => {
    const [until = '', nonce = '', signature = '', ...more] = code.split('.')
    const payload = `${until}.${nonce}`
    if (more.length > 0 || !isProof(signature, key, payload)) return false
    if (!(Number.parseInt(until, 36) > now()) || used.has(payload)) return false
    used.set(payload, true)
    return documents === undefined || isFirst(payload, documents)
  }
}

/** Whether no replica has accepted it. Codes that are over are forgotten. */
async function isFirst(payload: string, documents: Documents): Promise<boolean> {
  let isNew = false
  await documents.change<Record<string, number>>('console-codes', 'used', (expiries = {}) => {
    isNew = expiries[payload] === undefined
    const now = Date.now()
    const valid = Object.entries(expiries).filter(([, until]) => until > now)
    return { ...Object.fromEntries(valid.slice(-maxUsed)), [payload]: now + validMs }
  })
  return isNew
}

/** A link that signs in once. The code is in the fragment, which browsers do not send to servers. */
export const linkTo = (url: string, key: string): string => `${url}/#code=${createConsoleCode(key)}`

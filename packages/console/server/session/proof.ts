import { createHmac, timingSafeEqual } from 'node:crypto'

/** Shows that who has sent `text` has the key. */
export const proofOf = (key: Buffer | string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** In constant time. */
export function isProof(proof: string, key: Buffer | string, text: string): boolean {
  const [actual, expected] = [Buffer.from(proof), Buffer.from(proofOf(key, text))]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

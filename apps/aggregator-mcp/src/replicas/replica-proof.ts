import { createHmac, timingSafeEqual } from 'node:crypto'

/** Shows that a replica with the same key has sent `text`. */
export const proofOf = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** In constant time. */
export function isProof(given: string, key: Buffer, text: string): boolean {
  const [one, own] = [Buffer.from(given), Buffer.from(proofOf(key, text))]
  return one.length === own.length && timingSafeEqual(one, own)
}

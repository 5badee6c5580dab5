import { createHmac, timingSafeEqual } from 'node:crypto'

/** Shows that who has sent `text` has the key. */
export const proofOf = (key: Buffer | string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** In constant time. */
export function isProof(given: string, key: Buffer | string, text: string): boolean {
  const [one, own] = [Buffer.from(given), Buffer.from(proofOf(key, text))]
  return one.length === own.length && timingSafeEqual(one, own)
}

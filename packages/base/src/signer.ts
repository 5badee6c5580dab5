import { createHmac, timingSafeEqual } from 'node:crypto'

type Part = string | Uint8Array

/** Shows that what replicas share comes from one of them. */
export interface Signer {
  /** Binds its parts, in their order; 43 characters of ASCII. */
  sign(...parts: readonly Part[]): string
  /** In constant time. */
  isSigned(mac: string, ...parts: readonly Part[]): boolean
}

/** HMAC-SHA256. The first key signs, each of them verifies. */
export function createSigner(keys: readonly Buffer[]): Signer {
  function macOf(key: Buffer | undefined, parts: readonly Part[]): string {
    const hmac = createHmac('sha256', key ?? '')
    // With its length, no part can be taken for the end of another.
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
    return hmac.digest('base64url')
  }
  return {
    sign: (...parts) => macOf(keys[0], parts),
    isSigned: (mac, ...parts) =>
      keys.some((key) => {
        const [actual, expected] = [Buffer.from(mac), Buffer.from(macOf(key, parts))]
        return actual.length === expected.length && timingSafeEqual(actual, expected)
      }),
  }
}

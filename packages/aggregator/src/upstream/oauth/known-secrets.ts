import { createRedactor } from '../../secrets/redactor.ts'
import type { Credential } from './credential.ts'

type Listener = (values: string[]) => void

/** All tokens, client secrets and codes seen so far, for redaction. */
export interface KnownSecrets {
  learn(credential: Credential, ...more: string[]): void
  redact(text: string): string
  /**
   * Calls `listener` with all known secrets and with each new one. Returns a function that
   * unsubscribes.
   */
  listen(listener: Listener): () => void
}

export function createKnownSecrets(): KnownSecrets {
  const secrets = createRedactor()
  const known = new Set<string>()
  const listeners = new Set<Listener>()
  return {
    learn({ grant, registration }, ...more) {
      const { tokens, client } = grant ?? {}
      const secretOf = registration?.client.client_secret
      const values = [tokens?.accessToken, tokens?.refreshToken, client?.client_secret, secretOf]
      const fresh = [...values, ...more].filter(
        (value): value is string => value !== undefined && !known.has(value),
      )
      if (fresh.length === 0) return
      for (const value of fresh) known.add(value)
      secrets.learn(fresh, true)
      for (const listener of listeners) listener(fresh)
    },
    redact: secrets.redact,
    listen(listener) {
      listeners.add(listener)
      listener([...known])
      return () => void listeners.delete(listener)
    },
  }
}

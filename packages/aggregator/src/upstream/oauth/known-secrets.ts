import { createSecrets } from '../../secrets/secrets.ts'
import type { Credential } from './credential.ts'

type Listener = (values: string[]) => void

/** What must not be said: all tokens, client secrets and codes there were. */
export interface KnownSecrets {
  learn(credential: Credential, ...more: string[]): void
  hide(text: string): string
  /** Told of all there are and will be. Gives back how to end that. */
  listen(listener: Listener): () => void
}

export function createKnownSecrets(): KnownSecrets {
  const secrets = createSecrets()
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
    hide: secrets.hide,
    listen(listener) {
      listeners.add(listener)
      listener([...known])
      return () => void listeners.delete(listener)
    },
  }
}

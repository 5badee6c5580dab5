import { createRedactor } from '#servers/secrets/redactor'
import type { Credential } from './credential.ts'

type Listener = (values: string[]) => void

/** All tokens, client secrets and codes seen so far, for redaction. */
export class KnownSecrets {
  readonly #redactor = createRedactor()
  readonly #values = new Set<string>()
  readonly #listeners = new Set<Listener>()

  readonly redact = this.#redactor.redact

  readonly learn = ({ grant, registration }: Credential, ...more: string[]): void => {
    const { tokens, client } = grant ?? {}
    const secretOf = registration?.client.client_secret
    const values = [tokens?.accessToken, tokens?.refreshToken, client?.client_secret, secretOf]
    const fresh = [...values, ...more].filter(
      (value): value is string => value !== undefined && !this.#values.has(value),
    )
    if (fresh.length === 0) return
    for (const value of fresh) this.#values.add(value)
    this.#redactor.learn(fresh, true)
    for (const listener of this.#listeners) listener(fresh)
  }

  /**
   * Calls `listener` with all known secrets and with each new one. Returns a function that
   * unsubscribes.
   */
  readonly listen = (listener: Listener): (() => void) => {
    this.#listeners.add(listener)
    listener([...this.#values])
    return () => void this.#listeners.delete(listener)
  }
}

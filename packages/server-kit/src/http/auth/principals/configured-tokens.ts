import { hash, timingSafeEqual } from 'node:crypto'
import { type Principal, scopesOf } from './principal.ts'

/** Configured callers by name. */
export type Callers = Readonly<Record<string, { token: string; profile?: string | undefined }>>

/** Tokens from the environment and the configuration. */
export interface ConfiguredTokens {
  isEmpty(): boolean
  find(token: string): Principal | undefined
  /** True if the principal's token is still configured. */
  has(principal: Principal): boolean
}

interface Known {
  digest: Buffer
  principal: Principal
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')

/** `callers` is called for each request; a new object means a new configuration. */
export function createConfiguredTokens(
  owner: string | undefined,
  callers: () => Callers,
): ConfiguredTokens {
  const first: Known[] =
    owner === undefined
      ? []
      : [
          {
            digest: digestOf(owner),
            principal: { kind: 'owner', scopes: scopesOf(['mcp', 'console']) },
          },
        ]
  let seen: Callers | undefined
  let known = first

  function current(): readonly Known[] {
    const now = callers()
    if (now === seen) return known
    seen = now
    const before = known
    const added = Object.entries(now).map(([name, { token, profile }]) => {
      const digest = digestOf(token)
      const same = before.find(
        (one) =>
          one.principal.name === name &&
          one.principal.profile === profile &&
          one.digest.equals(digest),
      )
      const principal = { kind: 'caller', name, profile, scopes: scopesOf(['mcp']) } as const
      return same ?? { digest, principal }
    })
    known = [...first, ...added]
    return known
  }

  return {
    isEmpty: () => current().length === 0,
    find(token) {
      const digest = digestOf(token)
      let found: Principal | undefined
      // All are compared, so that the duration does not reveal a match.
      for (const one of current()) if (timingSafeEqual(one.digest, digest)) found ??= one.principal
      return found
    },
    has: (principal) => current().some((one) => one.principal === principal),
  }
}

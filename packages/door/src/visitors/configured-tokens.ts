import { hash, timingSafeEqual } from 'node:crypto'
import { scopesOf, type Visitor } from './visitor.ts'

/** Those who come with a token of the configuration, by name. */
export type Callers = Readonly<Record<string, { token: string; profile?: string | undefined }>>

/** Tokens that stand in the environment and the configuration. */
export interface ConfiguredTokens {
  isEmpty(): boolean
  find(token: string): Visitor | undefined
  /** They still have a token that lets them in. */
  has(visitor: Visitor): boolean
}

interface Known {
  digest: Buffer
  visitor: Visitor
}

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')

/** `callers` is asked at each request: another object is another configuration. */
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
            visitor: { kind: 'owner', scopes: scopesOf(['mcp', 'console']) },
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
          one.visitor.name === name && one.visitor.profile === profile && one.digest.equals(digest),
      )
      const visitor = { kind: 'caller', name, profile, scopes: scopesOf(['mcp']) } as const
      return same ?? { digest, visitor }
    })
    known = [...first, ...added]
    return known
  }

  return {
    isEmpty: () => current().length === 0,
    find(token) {
      const digest = digestOf(token)
      let found: Visitor | undefined
      // All are compared, so that the time does not tell how near one was.
      for (const one of current()) if (timingSafeEqual(one.digest, digest)) found ??= one.visitor
      return found
    },
    has: (visitor) => current().some((one) => one.visitor === visitor),
  }
}

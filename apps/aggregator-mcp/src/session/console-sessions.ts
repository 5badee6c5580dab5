import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Visitor } from '@pith-mcp/door'
import { LRUCache } from 'lru-cache'
import { cookiesIn } from './cookie.ts'

/** Browsers that are signed in at the console, for as long as this process runs. */
export interface ConsoleSessions {
  /**
   * Begin a session. `cookie` alone is worth nothing, since browsers give it to whatever listens on
   * another port too: `proof` is kept by our pages, and comes with each request in a header.
   */
  open(visitor: Visitor, isStillIn?: () => boolean): { cookie: string; proof: string }
  /** Whose session a request belongs to. */
  find(request: IncomingMessage, cookieName: string): Visitor | undefined
  /** A visitor it gave is still signed in. */
  isOpen(visitor: Visitor): boolean
  end(visitor: Visitor): void
}

const proofHeader = 'x-pith-proof'

const idleMs = 12 * 3_600_000
const mostSessions = 1_000

export function createConsoleSessions(): ConsoleSessions {
  const sessions = new LRUCache<string, { visitor: Visitor; isStillIn: () => boolean }>({
    max: mostSessions,
    ttl: idleMs,
    updateAgeOnGet: true,
  })
  const keys = new WeakMap<Visitor, string>()
  return {
    open(given, isStillIn = () => true) {
      const [cookie, proof] = [secret(), secret()]
      const visitor: Visitor = { ...given, kind: 'session' }
      const key = keyOf(cookie, proof)
      sessions.set(key, { visitor, isStillIn })
      keys.set(visitor, key)
      return { cookie, proof }
    },
    find(request, cookieName) {
      const proof = request.headers[proofHeader]
      if (typeof proof !== 'string') return undefined
      // Whoever listens on another port may have set one of that name.
      for (const cookie of cookiesIn(request, cookieName)) {
        const found = sessions.get(keyOf(cookie, proof))
        if (found?.isStillIn()) return found.visitor
      }
      return undefined
    },
    isOpen(visitor) {
      const found = sessions.get(keys.get(visitor) ?? '')
      return found?.isStillIn() === true
    },
    end: (visitor) => void sessions.delete(keys.get(visitor) ?? ''),
  }
}

const secret = (): string => randomBytes(32).toString('base64url')

/** What is looked up takes the same time, however near a guess is. */
const keyOf = (cookie: string, proof: string): string =>
  createHash('sha256').update(`${cookie} ${proof}`).digest('hex')

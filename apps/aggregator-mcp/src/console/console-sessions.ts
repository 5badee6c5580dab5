import { createHash, randomBytes } from 'node:crypto'
import type { Visitor } from '@pith-mcp/door'
import { LRUCache } from 'lru-cache'

/** Browsers that are signed in at the console, for as long as this process runs. */
export interface ConsoleSessions {
  /** Begin a session; what the cookie says. `isStillIn` is asked at each use. */
  open(visitor: Visitor, isStillIn?: () => boolean): string
  /** Whose session a cookie is of. */
  find(cookie: string): Visitor | undefined
  end(cookie: string): void
}

const idleMs = 12 * 3_600_000
const mostSessions = 1_000

export function createConsoleSessions(): ConsoleSessions {
  const sessions = new LRUCache<string, { visitor: Visitor; isStillIn: () => boolean }>({
    max: mostSessions,
    ttl: idleMs,
    updateAgeOnGet: true,
  })
  return {
    open(visitor, isStillIn = () => true) {
      const cookie = randomBytes(32).toString('base64url')
      sessions.set(digest(cookie), { visitor: { ...visitor, kind: 'session' }, isStillIn })
      return cookie
    },
    find(cookie) {
      const found = sessions.get(digest(cookie))
      if (found === undefined) return undefined
      if (found.isStillIn()) return found.visitor
      sessions.delete(digest(cookie))
      return undefined
    },
    end: (cookie) => void sessions.delete(digest(cookie)),
  }
}

/** What is looked up takes the same time, however near a guess is. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

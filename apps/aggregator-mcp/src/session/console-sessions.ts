import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Principal } from '@pith-mcp/server-kit'
import { LRUCache } from 'lru-cache'

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>

const proofHeader = 'x-pith-proof'

const idleMs = 12 * 3_600_000
/** The least recently used session is dropped. */
const maxSessions = 1_000

/** Browser sessions of the console, in memory: they end with this process. */
export function createConsoleSessions() {
  const sessions = new LRUCache<string, { principal: Principal; isStillValid: () => boolean }>({
    max: maxSessions,
    ttl: idleMs,
    updateAgeOnGet: true,
  })
  const keys = new WeakMap<Principal, string>()
  return {
    /**
     * Begin a session. The cookie alone is not accepted, since browsers send it to servers on other
     * ports of this host too: our pages store `proof` and send it in a header of each request.
     */
    open(owner: Principal, isStillValid = () => true): { cookie: string; proof: string } {
      const [cookie, proof] = [secret(), secret()]
      const principal: Principal = { ...owner, kind: 'session' }
      const key = keyOf(cookie, proof)
      sessions.set(key, { principal, isStillValid })
      keys.set(principal, key)
      return { cookie, proof }
    },
    /** The principal of a request with a valid session. */
    find(request: IncomingMessage, cookieName: string): Principal | undefined {
      const proof = request.headers[proofHeader]
      if (typeof proof !== 'string') return undefined
      // A server on another port may have set a cookie of the same name.
      for (const cookie of cookiesIn(request, cookieName)) {
        const found = sessions.get(keyOf(cookie, proof))
        if (found?.isStillValid()) return found.principal
      }
      return undefined
    },
    /** Whether a principal that `find` returned is still signed in. */
    isOpen(principal: Principal): boolean {
      const found = sessions.get(keys.get(principal) ?? '')
      return found?.isStillValid() === true
    },
    end: (principal: Principal) => void sessions.delete(keys.get(principal) ?? ''),
  }
}

const secret = (): string => randomBytes(32).toString('base64url')

/** Hashed, so that the time of a lookup does not reveal how close a guess is. */
const keyOf = (cookie: string, proof: string): string =>
  createHash('sha256').update(`${cookie} ${proof}`).digest('hex')

/** Includes the port, since cookies are shared by all ports of a host. */
export const cookieName = (port: number): string => `pith_console_${port}`

/** Cookies of one name to try. */
const maxTried = 10

/** The values of all cookies of a name: there may be several, set for other paths. */
function cookiesIn({ headers }: IncomingMessage, name: string): string[] {
  const values = (headers.cookie ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=')
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })
  return values.slice(0, maxTried)
}

/** A `Set-Cookie` header that scripts cannot read and other sites do not send. An empty value deletes it. */
export function setCookie(name: string, value: string, isSecure: boolean): string {
  const end = value === '' ? '; Max-Age=0' : ''
  return `${name}=${value}; Path=/${end}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

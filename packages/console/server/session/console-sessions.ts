import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createEdits } from '@pith-mcp/replicas/documents'
import type { Principal } from '@pith-mcp/server-kit'
import type { Documents } from '@pith-mcp/server-kit/database'
import { LRUCache } from 'lru-cache'

type Scope = Principal['scopes'] extends ReadonlySet<infer One> ? One : never

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>

const proofHeader = 'x-pith-proof'

const idleMs = 12 * 3_600_000
/** The least recently used session is dropped. */
const maxSessions = 1_000

/** A session as it is stored: who signed in, and until when. */
interface StoredSession {
  /** Without scopes, which are a set. */
  signedIn: Omit<Principal, 'scopes'>
  scopes: Scope[]
  /** Milliseconds since 1970. */
  usedAt: number
}

type Edit = (stored: StoredSession | undefined) => StoredSession | undefined

interface SessionStore {
  get(key: string): StoredSession | undefined
  change(key: string, edit: Edit): void
}

function createMemoryStore(): SessionStore {
  const sessions = new LRUCache<string, StoredSession>({ max: maxSessions, ttl: idleMs })
  return {
    get: (key) => sessions.get(key),
    change(key, edit) {
      const session = edit(sessions.get(key))
      if (session === undefined) sessions.delete(key)
      else sessions.set(key, session)
    },
  }
}

const kind = 'console-sessions'
const isIdle = ({ usedAt }: StoredSession): boolean => Date.now() - usedAt > idleMs

/** Sessions that replicas share: signing in to one of them is enough, and signing out. */
function createSharedStore(documents: Documents, onLog: (text: string) => void): SessionStore {
  const { get, change } = createEdits<StoredSession>(documents, kind, onLog)
  return {
    get,
    change(key, edit) {
      change(key, edit)
      for (const [storedKey, session] of documents.all<StoredSession>(kind))
        if (isIdle(session))
          change(storedKey, (current) => (current && isIdle(current) ? undefined : current))
    },
  }
}

/** Milliseconds between notes that a session is in use. */
const noteEveryMs = 600_000

/**
 * Browser sessions of the console. They end with this process, unless replicas share them.
 * `isValid`: whether who signed in would still be accepted.
 */
export function createConsoleSessions(
  isValid: (signedIn: Principal) => boolean,
  documents?: Documents,
  onLog: (text: string) => void = () => {},
) {
  const sessions = documents ? createSharedStore(documents, onLog) : createMemoryStore()
  const keys = new WeakMap<Principal, string>()
  /** A session has one principal, by which its requests are known. */
  const principals = new LRUCache<string, Principal>({ max: maxSessions })
  function signedInAs(key: string): Principal | undefined {
    const session = sessions.get(key)
    if (session === undefined || isIdle(session)) return undefined
    const { signedIn } = session
    const scopes = new Set(session.scopes)
    if (!isValid({ ...signedIn, scopes })) return undefined
    // Of one that has ended elsewhere meanwhile, nothing is stored.
    const usedAt = Date.now()
    if (usedAt - session.usedAt > noteEveryMs)
      sessions.change(key, (current) => current && { ...current, usedAt })
    const principal: Principal = principals.get(key) ?? { ...signedIn, scopes, kind: 'session' }
    principals.set(key, principal)
    keys.set(principal, key)
    return principal
  }
  return {
    /**
     * Begin a session. The cookie alone is not accepted, since browsers send it to servers on other
     * ports of this host too: our pages store `proof` and send it in a header of each request.
     */
    open({ scopes, ...signedIn }: Principal): { cookie: string; proof: string } {
      const [cookie, proof] = [secret(), secret()]
      const session = { signedIn, scopes: [...scopes], usedAt: Date.now() }
      sessions.change(keyOf(cookie, proof), () => session)
      return { cookie, proof }
    },
    /** The principal of a request with a valid session. */
    find(request: IncomingMessage, cookieName: string): Principal | undefined {
      const proof = request.headers[proofHeader]
      if (typeof proof !== 'string') return undefined
      // A server on another port may have set a cookie of the same name.
      for (const cookie of cookiesIn(request, cookieName)) {
        const principal = signedInAs(keyOf(cookie, proof))
        if (principal) return principal
      }
      return undefined
    },
    /** Whether a principal that `find` returned is still signed in. */
    isOpen: (principal: Principal): boolean => signedInAs(keys.get(principal) ?? '') !== undefined,
    end: (principal: Principal) => sessions.change(keys.get(principal) ?? '', () => undefined),
  }
}

const secret = (): string => randomBytes(32).toString('base64url')

/** Hashed, so that the time of a lookup does not reveal how close a guess is. */
const keyOf = (cookie: string, proof: string): string =>
  createHash('sha256').update(`${cookie} ${proof}`).digest('hex')

/** Includes the port, since cookies are shared by all ports of a host. */
export const cookieName = (port: number): string => `pith_console_${port}`

/** Replicas may listen on different ports. */
export const sharedCookieName = 'pith_console'

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

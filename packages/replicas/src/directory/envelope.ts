import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Principal, RejectedError, type Scope } from '@pith-mcp/server-kit'
import type { Signer } from '#base/signer'
import { replicaClock } from '../redis/leases.ts'

/** What a replica passes on with a request, instead of the credential of its client. */
export interface Passed {
  /** The process that may open it. */
  to: string
  /** Milliseconds since 1970, by the clock of that replica. */
  at: number
  client: string
  /** Undefined for a request that needs none. */
  principal: Principal | undefined
  /** SHA-256 of the body. */
  body: string
}

type Message = Pick<IncomingMessage, 'method' | 'url' | 'headers'>
type Stored = Omit<Passed, 'principal'> & {
  nonce: string
  principal?: Omit<Principal, 'scopes'> & { scopes: Scope[] }
}

const header = 'x-pith-envelope'
/** Says that nothing was done, since an envelope was not accepted. */
export const refusedHeader = 'x-pith-refused'
/** None that holds a credential. */
const passedHeader =
  /^(?:accept|content-type|last-event-id|user-agent|traceparent|tracestate|baggage|mcp-.+)$/
const validMs = 30_000
/** Envelopes of a minute; more are refused. */
const maxNonces = 100_000

export const hashOf = (body: Uint8Array | string): string =>
  createHash('sha256').update(body).digest('base64url')

const passedOf = (headers: IncomingHttpHeaders) =>
  Object.entries(headers)
    .filter(([name]) => passedHeader.test(name))
    .sort()

const refused = (why: string): RejectedError =>
  new RejectedError('envelope', 403, `Only replicas are answered here: ${why}.`, {
    headers: { [refusedHeader]: why },
  })

/**
 * Envelopes between replicas: each is signed with its request, for one replica, is valid for half a
 * minute, and is opened once.
 */
export function createEnvelopes(signer: Signer, writer: string, now: () => number = replicaClock) {
  const expiries = new Map<string, number>()
  const partsOf = ({ method = '', url = '', headers }: Message, content: string): string[] => [
    content,
    method,
    url,
    JSON.stringify(passedOf(headers)),
  ]

  function isFirst(nonce: string, expiresAt: number): boolean {
    for (const [old, expiry] of expiries) {
      if (expiry > now()) break
      expiries.delete(old)
    }
    if (expiries.has(nonce)) return false
    if (expiries.size >= maxNonces) throw refused('too many at once')
    expiries.set(nonce, expiresAt)
    return true
  }

  return {
    /** The headers of a request to another replica. */
    seal(message: Message, { principal, ...passed }: Passed): Record<string, unknown> {
      const envelope: Stored = {
        ...passed,
        nonce: randomBytes(12).toString('base64url'),
        ...(principal && { principal: { ...principal, scopes: [...principal.scopes] } }),
      }
      const content = Buffer.from(JSON.stringify(envelope)).toString('base64url')
      const mac = signer.sign(...partsOf(message, content))
      return { ...Object.fromEntries(passedOf(message.headers)), [header]: `${content}.${mac}` }
    },
    /** Leaves the request only what is signed. @throws {RejectedError} 403 */
    open(request: Message): Passed {
      const [content = '', mac = ''] = String(request.headers[header] ?? '').split('.')
      if (!signer.isSigned(mac, ...partsOf(request, content)))
        throw refused('there is no envelope signed with PITH_CLUSTER_KEY')
      const envelope = JSON.parse(Buffer.from(content, 'base64url').toString()) as Stored
      const { nonce, principal, ...passed } = envelope
      if (passed.to !== writer) throw refused('the envelope is for another replica')
      if (Math.abs(passed.at - now()) > validMs) throw refused('the envelope is of another time')
      if (!isFirst(nonce, passed.at + validMs)) throw refused('the envelope was opened before')
      const { host, 'content-length': length } = request.headers
      request.headers = {
        ...Object.fromEntries(passedOf(request.headers)),
        host,
        ...(length !== undefined && { 'content-length': length }),
      }
      return {
        ...passed,
        principal: principal && { ...principal, scopes: new Set(principal.scopes) },
      }
    },
  }
}

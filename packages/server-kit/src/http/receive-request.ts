import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkHost, checkOrigin, type Names } from './address/check-names.ts'
import { clientAddress, networkOf, type TrustedProxies } from './address/client-address.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { labelOf, type Principal, type Scope } from './auth/principals/principal.ts'
import type { Connections } from './connections.ts'
import { addExchange, type OpenExchange } from './exchanges.ts'
import { RejectedError, type RejectionLog, safely } from './rejections/rejections.ts'
import { setSecurityHeaders } from './replies/security-headers.ts'
import type { Route, RouteScope } from './routes/route.ts'

export interface ReceiverOptions {
  names: Names
  authenticator: Authenticator
  routes: readonly Route[]
  notFoundText: string
  exchanges: Set<OpenExchange>
  connections: Connections
  proxies: TrustedProxies
  /** Seconds for which a client may not try another credential. */
  slowedFor: (reason: string, client: string) => number
  notes: RejectionLog
  onError: (error: unknown) => void
  isClosing: () => boolean
}

/** A request on its way to a route. */
interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client sent `Expect: 100-continue`. */
  readonly isAwaited: boolean
  path: string
  route: Route | undefined
  scope: RouteScope
}

const anonymous: Principal = { kind: 'anyone', scopes: new Set() }

/** Passes requests to their routes after checking host, origin and principal. */
export class RequestReceiver {
  readonly #options: ReceiverOptions

  constructor(options: ReceiverOptions) {
    this.#options = options
  }

  /** Answers a request; never throws. `isAwaited`: the client sent `Expect: 100-continue`. */
  receive(request: IncomingMessage, response: ServerResponse, isAwaited = false): void {
    const { authenticator, connections, proxies, isClosing, onError } = this.#options
    const arrival: Arrival = {
      request,
      response,
      isAwaited,
      path: '',
      route: undefined,
      scope: 'public',
    }
    const onFailed = (error: unknown): void => this.#fail(error, arrival)
    response.on('error', onError)
    if (isClosing()) response.shouldKeepAlive = false
    try {
      proxies.note(request)
      this.#findRoute(arrival)
      const { scope } = arrival
      const principal = scope === 'public' ? anonymous : authenticator.authenticate(request, scope)
      if (principal instanceof Promise) connections.admit(request, response, false)
      const going =
        principal instanceof Promise
          ? principal.then((resolvedPrincipal) => this.#dispatch(resolvedPrincipal, arrival))
          : this.#dispatch(principal, arrival)
      going?.catch(onFailed)
    } catch (error) {
      onFailed(error)
    }
  }

  /** All checks that do not need the principal. @throws {RejectedError} */
  #findRoute(arrival: Arrival): void {
    const { names, routes, notFoundText } = this.#options
    const { request, response } = arrival
    setSecurityHeaders(response)
    arrival.path = pathOf(request.url)
    checkFraming(request)
    checkHost(request, names)
    const route = routes.find(({ matches }) => matches(arrival.path))
    if (route === undefined) {
      checkOrigin(request, 'names', names)
      throw new RejectedError('no_route', 404, notFoundText)
    }
    const { method = '' } = request
    arrival.route = route
    arrival.scope = typeof route.scope === 'string' ? route.scope : route.scope(method)
    setSecurityHeaders(response, route.replies)
    checkOrigin(request, route.origin ?? (arrival.scope === 'mcp' ? 'names' : 'same'), names)
    const methods =
      typeof route.methods === 'function' ? route.methods(arrival.path) : route.methods
    if (!methods.includes(method))
      throw new RejectedError('method', 405, `Use ${methods.join(' or ')}.`, {
        headers: { allow: methods.join(', ') },
      })
  }

  #dispatch(principal: Principal, arrival: Arrival): void | Promise<void> {
    const { request, response, route, scope } = arrival
    if (route === undefined) return
    if (scope !== 'public') checkScope(principal, scope)
    if (scope !== 'mcp') checkWrite(request, principal)
    if (this.#options.isClosing() && scope !== 'public')
      throw new RejectedError('closing', 503, 'The server is shutting down.', {
        headers: { 'retry-after': '1' },
      })
    if (arrival.isAwaited) response.writeContinue()
    const isStream = route.isStream?.(request) === true
    const isKnown = principal.kind !== 'anyone'
    // Of public routes only streams last, and check themselves who may have one.
    if (isKnown || isStream === (scope === 'public'))
      this.#options.connections.admit(request, response, isKnown)
    addExchange(this.#options.exchanges, {
      request,
      response,
      principal: scope === 'public' ? undefined : principal,
      isStream,
      beganAt: performance.now(),
    })
    return route.handle(request, response, principal)
  }

  #fail(error: unknown, { request, response, path, route, scope }: Arrival): void {
    const { authenticator, slowedFor, notes, onError } = this.#options
    const replies = route?.replies ?? 'own'
    if (!(error instanceof RejectedError)) {
      onError(error)
      const problem = new RejectedError('failed', 500, 'Internal error.')
      answerRejection(request, response, problem, { replies })
      return
    }
    const { reason, principal } = error
    const { method = '', url } = request
    const address = clientAddress(request)
    const seconds = error.status === 401 ? slowedFor(reason, networkOf(address)) : 0
    const rejected = seconds === 0 ? error : tooMany(seconds)
    const { status } = rejected
    notes.record({
      reason,
      status,
      method: safely(method, 20),
      path: safely(path || url?.split('?', 1)[0]),
      address,
      principal,
    })
    const requiredScope = scope === 'public' ? undefined : scope
    const isChallenge = status === 401 || rejected.error !== undefined
    answerRejection(request, response, rejected, {
      replies,
      ...(isChallenge && {
        challenge: authenticator.challenge(path, rejected.error, requiredScope),
      }),
    })
  }
}

const tooMany = (seconds: number): RejectedError =>
  new RejectedError('guesses', 429, `Too many wrong credentials. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })

/** @throws {RejectedError} */
function checkScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.has(scope)) return
  if (principal.kind === 'anyone')
    throw new RejectedError('no_credential', 401, 'A bearer token is required.')
  throw new RejectedError('scope', 403, `This requires the scope ${scope}.`, {
    principal: labelOf(principal),
    error: 'insufficient_scope',
  })
}

/**
 * Prevents request smuggling: only `chunked` is accepted. The parser rejects the rest. @throws
 * {RejectedError}
 */
function checkFraming({ headers }: IncomingMessage): void {
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    throw new RejectedError('malformed', 400, 'Transfer-Encoding must be chunked.', {
      headers: { connection: 'close' },
    })
}

/**
 * Prevents CSRF: a write needs an Origin, which is checked before, and JSON, which forms cannot
 * send.
 * @throws {RejectedError}
 */
function checkWrite(request: IncomingMessage, principal: Principal): void {
  const { method = '', headers } = request
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || isByItself(request, principal)) return
  if (!headers.origin)
    throw new RejectedError('no_origin', 403, 'Changes require an Origin header or a bearer token.')
  const isEmpty =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (method === 'DELETE' && isEmpty) return
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new RejectedError('content_type', 415, 'Send changes as application/json.')
}

/** Pages of other sites cannot set this header; cookies are sent automatically. */
function isByItself({ headers }: IncomingMessage, { kind }: Principal): boolean {
  if (kind === 'session') return false
  return headers.authorization !== undefined
}

const maxTargetLength = 8_192

/** Sequences that other software may decode to another path. */
const odd = /(?:\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)|%2f|%5c|%0[0-9a-f]|\\|\/\/|[^\x21-\x7e]/i

/**
 * The path of a request without the query. @throws {RejectedError} if it is too long or ambiguous
 */
function pathOf(target: string | undefined): string {
  if (target === undefined || target[0] !== '/')
    throw new RejectedError('odd_path', 400, 'The request target must be a path.')
  if (target.length > maxTargetLength)
    throw new RejectedError(
      'long_path',
      414,
      `The address must have at most ${maxTargetLength} characters.`,
    )
  const end = target.indexOf('?')
  const path = end === -1 ? target : target.slice(0, end)
  if (odd.test(path)) throw new RejectedError('odd_path', 404, 'There is no such page.')
  return path
}

/** Bytes of an unread body; the connection is closed after a longer one. */
const maxUnread = 64 * 1024

/** A problem document of RFC 9457 for data routes, otherwise a line of text. */
function answerRejection(
  request: IncomingMessage,
  response: ServerResponse,
  { status, reason, message, headers }: RejectedError,
  { replies, challenge }: { replies: Route['replies']; challenge?: string },
): void {
  // The reply has begun: it can only be aborted.
  if (response.headersSent) return void response.destroy()
  const isData = replies === 'data'
  // Clients do not learn why a credential was rejected.
  const code = status === 401 ? 'unauthorized' : reason
  const body = isData ? JSON.stringify({ title: message, status, code }) : message
  if (isLong(request)) response.shouldKeepAlive = false
  response.writeHead(status, {
    'content-type': isData ? 'application/problem+json' : 'text/plain; charset=utf-8',
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
    ...headers,
  })
  response.end(`${body}\n`)
}

const isLong = ({ headers, complete }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > maxUnread)

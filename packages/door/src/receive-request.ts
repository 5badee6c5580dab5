import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkHost, checkOrigin, type Names } from './address/check-names.ts'
import type { Admission } from './admission.ts'
import type { Exchanges } from './exchanges.ts'
import { type RefusalNotes, safely } from './refusals/refusal-notes.ts'
import { RefusedError } from './refusals/refused-error.ts'
import { answerRefusal } from './replies/answer-refusal.ts'
import { setSecurityHeaders } from './replies/security-headers.ts'
import { checkFraming } from './requests/check-framing.ts'
import { checkWrite } from './requests/check-write.ts'
import { pathOf } from './routes/path-of.ts'
import type { Route, RouteScope } from './routes/route.ts'
import { labelOf, type Scope, type Visitor } from './visitors/visitor.ts'

export interface ReceiverOptions {
  names: Names
  admission: Admission
  routes: readonly Route[]
  nothingHere: string
  exchanges: Exchanges
  notes: RefusalNotes
  onError: (error: unknown) => void
  isClosing: () => boolean
}

/** One request on its way in. */
interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client waits for a word before it sends the body. */
  readonly isAwaited: boolean
  path: string
  route: Route | undefined
  scope: RouteScope
}

const anybody: Visitor = { kind: 'anyone', scopes: new Set() }

/** Takes a request to its route, if its address, its origin and its visitor may come there. */
export function createReceiver(
  options: ReceiverOptions,
): (request: IncomingMessage, response: ServerResponse, isAwaited?: boolean) => void {
  const { names, admission, routes, exchanges, notes, onError, isClosing } = options

  /** Everything that is known without knowing who asks. */
  function findRoute(arrival: Arrival): void {
    const { request, response } = arrival
    setSecurityHeaders(response)
    arrival.path = pathOf(request.url)
    checkFraming(request)
    checkHost(request, names)
    const route = routes.find(({ matches }) => matches(arrival.path))
    if (route === undefined) {
      checkOrigin(request, 'names', names)
      throw new RefusedError('no_route', 404, options.nothingHere)
    }
    const { method = '' } = request
    arrival.route = route
    arrival.scope = typeof route.scope === 'string' ? route.scope : route.scope(method)
    setSecurityHeaders(response, route.replies)
    checkOrigin(request, route.origin ?? (arrival.scope === 'mcp' ? 'names' : 'same'), names)
    if (route.methods && !route.methods.includes(method))
      throw new RefusedError('method', 405, `${route.methods.join(' and ')} are taken here.`, {
        headers: { allow: route.methods.join(', ') },
      })
  }

  function letIn(visitor: Visitor, arrival: Arrival): void | Promise<void> {
    const { request, response, route, scope } = arrival
    if (route === undefined) return
    if (scope !== 'public') checkScope(visitor, scope)
    if (scope !== 'mcp') checkWrite(request, visitor)
    if (isClosing() && scope !== 'public')
      throw new RefusedError('closing', 503, 'The server is being stopped.', {
        headers: { 'retry-after': '1' },
      })
    if (arrival.isAwaited) response.writeContinue()
    const isEndless = route.isEndless?.(request) === true
    exchanges.add({
      request,
      response,
      visitor: scope === 'public' ? undefined : visitor,
      isEndless,
      beganAt: performance.now(),
    })
    return route.handle(request, response, visitor)
  }

  function fail(error: unknown, { request, response, path, route, scope }: Arrival): void {
    if (!(error instanceof RefusedError)) {
      onError(error)
      const trouble = new RefusedError('failed', 500, 'Something went wrong.')
      answerRefusal(request, response, trouble, { replies: route?.replies ?? 'own' })
      return
    }
    const { reason, status, who } = error
    const { method = '', url, socket } = request
    notes.note({
      reason,
      status,
      method: safely(method, 20),
      path: safely(path || url?.split('?', 1)[0]),
      address: socket.remoteAddress ?? '',
      who,
    })
    const wanted = scope === 'public' ? undefined : scope
    const isChallenge = status === 401 || error.error !== undefined
    answerRefusal(request, response, error, {
      replies: route?.replies ?? 'own',
      ...(isChallenge && { challenge: admission.challenge(path, error.error, wanted) }),
    })
  }

  return (request, response, isAwaited = false) => {
    const arrival: Arrival = {
      request,
      response,
      isAwaited,
      path: '',
      route: undefined,
      scope: 'public',
    }
    const onFailed = (error: unknown): void => fail(error, arrival)
    response.on('error', onError)
    if (isClosing()) response.shouldKeepAlive = false
    try {
      findRoute(arrival)
      const { scope } = arrival
      const visitor = scope === 'public' ? anybody : admission.visitorOf(request, scope)
      const going =
        visitor instanceof Promise
          ? visitor.then((known) => letIn(known, arrival))
          : letIn(visitor, arrival)
      going?.catch(onFailed)
    } catch (error) {
      onFailed(error)
    }
  }
}

/** @throws {RefusedError} */
function checkScope(visitor: Visitor, scope: Scope): void {
  if (visitor.scopes.has(scope)) return
  if (visitor.kind === 'anyone')
    throw new RefusedError('no_credential', 401, 'A bearer token is needed.')
  throw new RefusedError('scope', 403, `This needs the scope ${scope}.`, {
    who: labelOf(visitor),
    error: 'insufficient_scope',
  })
}

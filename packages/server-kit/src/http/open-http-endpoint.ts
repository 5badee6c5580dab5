import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server as SecureServer } from 'node:tls'
import { isLoopback, type Names, namesOf, parseAddress } from './address/check-names.ts'
import { clientAddress, createTrustedProxies } from './address/client-address.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { labelOf } from './auth/principals/principal.ts'
import { type Bounds, createBoundedServer, defaultBounds, listen } from './bounded-server.ts'
import { Connections } from './connections.ts'
import { drain, type OpenExchange } from './exchanges.ts'
import { type OnLog, openTlsFiles, type TlsFiles } from './open-tls-files.ts'
import { HttpEndpointError } from './protocol/http-endpoint-error.ts'
import { RequestReceiver } from './receive-request.ts'
import { createGuessLimit } from './rejections/guess-limit.ts'
import { createRejectionLog, type Rejection, type RejectionLog } from './rejections/rejections.ts'
import type { Route } from './routes/route.ts'

/** Address, authentication, routes and bounds of an endpoint. */
export interface HttpEndpointOptions {
  /** `[host:]port`. */
  address: string
  /** Additional host names under which the server is reached. */
  hosts?: readonly string[] | undefined
  /** URL for browsers, if there is a proxy. */
  publicUrl?: string | undefined
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[] | undefined
  /** Serves TLS, and nothing else. */
  tls?: TlsFiles | undefined
  /** Called when the files of TLS change, and if they have to. */
  onLog?: OnLog | undefined
  authenticator: Authenticator
  /** The first match wins; `/healthz` and `/readyz` precede them. */
  routes: readonly Route[]
  /** Reply for paths without a route. */
  notFoundText?: string | undefined
  /** Additional condition of `/readyz`. */
  isReady?: (() => boolean) | undefined
  /** Why engines cannot be used now, by name: `/readyz` says which are down. */
  problems?: (() => Record<string, string | undefined>) | undefined
  /** Called for rejected requests; many similar ones are combined. */
  onRejected?: ((rejection: Rejection) => void) | undefined
  onError?: ((error: unknown) => void) | undefined
  /** Called before closing: long replies have a second to end. */
  onClosing?: (() => void | Promise<void>) | undefined
  bounds?: Partial<Bounds> | undefined
}

const defaultGraceMs = 10_000
const closingMs = 1_000
/** Milliseconds between checks whether principals of open requests are still valid. */
const revalidateEveryMs = 1_000

/**
 * Listens and serves the routes. @throws {HttpEndpointError} `bad_address`, `too_open`,
 * `bad_tls`, `cannot_listen`
 */
export async function openHttpEndpoint(options: HttpEndpointOptions) {
  const { authenticator, isReady = () => true, onError = () => {}, onRejected = () => {} } = options
  const { host, port } = parseAddress(options.address)
  if (!isLoopback(host) && !authenticator.requiresAuth())
    throw new HttpEndpointError('too_open', `${options.address} can be reached by other machines.`)
  const notes = createRejectionLog(onRejected)
  const exchanges = new Set<OpenExchange>()
  let isClosing = false
  const bounds = { ...defaultBounds, ...options.bounds }
  const tls = options.tls && (await openTlsFiles(options.tls, options.onLog ?? (() => {})))
  const server = createBoundedServer(bounds, tls?.options)
  const proxies = createTrustedProxies(options.trustedProxies ?? [])
  const { requiresAuth } = authenticator
  const onClosed = (address: string): void =>
    notes.record(withoutRequest('connections', 0, address))
  const connections = new Connections(server, { bounds, proxies, requiresAuth, onClosed })
  const receiver = new RequestReceiver({
    names: knownNames(host, options),
    authenticator,
    routes: [...healthRoutes(() => !isClosing && isReady(), options.problems), ...options.routes],
    notFoundText: options.notFoundText ?? 'There is no such page.',
    exchanges,
    connections,
    proxies,
    slowedFor: createGuessLimit(bounds),
    notes,
    onError,
    isClosing: () => isClosing,
  })
  connect(server, receiver, connections, notes)
  const revalidating = setInterval(
    () => endInvalid(exchanges, authenticator, notes),
    revalidateEveryMs,
  ).unref()
  const realPort = await listen(server, options.address, host, port).catch((error: unknown) => {
    clearInterval(revalidating)
    throw error
  })
  const unfollow = server instanceof SecureServer ? tls?.follow(server) : undefined
  async function close(graceMs: number): Promise<void> {
    isClosing = true
    const gone = new Promise((resolve) => server.close(resolve))
    for (const { response } of exchanges) response.shouldKeepAlive = false
    await Promise.race([
      Promise.resolve().then(options.onClosing).catch(onError),
      sleep(closingMs, undefined, { ref: false }),
    ])
    for (const { response, isStream } of exchanges) if (isStream) response.destroy()
    await drain(exchanges, graceMs)
    clearInterval(revalidating)
    unfollow?.()
    connections.endHandshakes()
    server.closeAllConnections()
    await gone
    notes.flush()
  }
  const shownHost = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  let closed: Promise<void> | undefined
  return {
    /** Without a path. */
    url: `${tls ? 'https' : 'http'}://${shownHost}:${realPort}`,
    port: realPort,
    /** Accepts no more requests; active ones have `graceMs` to end. Default 10,000. */
    close: ({ graceMs = defaultGraceMs }: { graceMs?: number } = {}): Promise<void> => {
      closed ??= close(graceMs)
      return closed
    },
  }
}

const withoutRequest = (
  reason: string,
  status: number,
  address = '',
): Omit<Rejection, 'count'> => ({
  reason,
  status,
  method: '',
  path: '',
  address,
})

/** Passes requests to the receiver; malformed ones and dropped connections are answered or logged. */
function connect(
  server: Server,
  receiver: RequestReceiver,
  connections: Connections,
  notes: RejectionLog,
): void {
  /** The newest response of a connection. */
  const replies = new WeakMap<Duplex, ServerResponse>()
  const receive = (
    request: IncomingMessage,
    response: ServerResponse,
    isAwaited: boolean,
  ): void => {
    replies.set(request.socket, response)
    connections.begin(request, response)
    receiver.receive(request, response, isAwaited)
  }
  server.on('request', (request, response) => receive(request, response, false))
  server.on('checkContinue', (request, response) => receive(request, response, true))
  const logOnly = (reason: string, status: number, address?: string): void =>
    notes.record(withoutRequest(reason, status, address))
  server.on('clientError', (error, socket) => {
    const { remoteAddress } = socket as Socket
    const answered = answerMalformed(error, socket, replies.get(socket))
    if (answered) logOnly(answered.reason, answered.status, remoteAddress)
  })
  server.on('drop', (data) => logOnly('connections', 0, data?.remoteAddress))
}

/** Ends replies whose principal has been revoked or removed. */
function endInvalid(
  exchanges: ReadonlySet<OpenExchange>,
  authenticator: Authenticator,
  notes: RejectionLog,
): void {
  for (const { principal, response, request, beganAt } of exchanges) {
    const isNew = performance.now() - beganAt < revalidateEveryMs
    if (principal === undefined || isNew || authenticator.isStillValid(principal)) continue
    notes.record({
      ...withoutRequest('revoked', 0, clientAddress(request)),
      principal: labelOf(principal),
    })
    response.destroy()
  }
}

function knownNames(host: string, { hosts = [], publicUrl }: HttpEndpointOptions): Names {
  if (publicUrl === undefined) return { names: namesOf(host, hosts), publicOrigin: undefined }
  const { origin, hostname } = new URL(publicUrl)
  return { names: namesOf(host, [...hosts, hostname]), publicOrigin: origin }
}

/**
 * `/healthz`: the process runs. `/readyz`: it accepts requests, and which engines are down; without
 * them it goes on as far as it can. Public, so nothing else is reported.
 */
function healthRoutes(
  isReady: () => boolean,
  problems: HttpEndpointOptions['problems'] = () => ({}),
): readonly Route[] {
  const engines = (): string =>
    Object.entries(problems())
      .map(([name, problem]) => `,"${name}":"${problem === undefined ? 'ok' : 'down'}"`)
      .join('')
  const route = (name: string, isOk: () => boolean, more = () => ''): Route => ({
    name,
    matches: (path) => path === `/${name}`,
    scope: 'public',
    methods: ['GET', 'HEAD'],
    replies: 'data',
    handle(_request, response) {
      const [status, text] = isOk() ? [200, 'ok'] : [503, 'not ready']
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(`{"status":"${text}"${more()}}\n`)
    },
  })
  return [route('healthz', () => true), route('readyz', isReady, engines)]
}

const answers: Readonly<Record<string, readonly [status: number, text: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'long_headers'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large', 'long_body'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'slow_request'],
}

/**
 * Ends the connection of a malformed request. Returns the answer and its reason; undefined if the
 * peer has disconnected or has been answered.
 */
function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  running: ServerResponse | undefined,
): { status: number; reason: string } | undefined {
  const code = error.code ?? ''
  if (/^ERR_(?:SSL|TLS)_/.test(code)) {
    socket.destroy()
    return { status: 0, reason: code === 'ERR_SSL_HTTP_REQUEST' ? 'plain_http' : 'tls' }
  }
  const isTheirs = code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const isAnswered = running?.headersSent === true && !running.req.complete
  if (!isTheirs || code === 'HPE_INVALID_EOF_STATE') {
    socket.destroy()
    return undefined
  }
  // A peer that does not read the answer, or keeps sending, is not waited for.
  const timer = setTimeout(() => socket.destroy(), 1_000)
  socket.once('close', () => clearTimeout(timer))
  if (isAnswered) {
    socket.end()
    return undefined
  }
  const [status, text, reason] = answers[code] ?? [400, 'Bad Request', 'malformed']
  // Within an unfinished reply it would be taken for a part of it.
  if (running?.headersSent === true && !running.writableFinished) socket.destroy()
  else if (socket.writable)
    socket.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  return { status, reason }
}

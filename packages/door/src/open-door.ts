import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Names } from './address/check-names.ts'
import { isLoopback, namesOf, parseAddress } from './address/parse-address.ts'
import type { Admission } from './admission.ts'
import { type Bounds, defaultBounds } from './bounds.ts'
import { DoorError } from './door-error.ts'
import { createExchanges } from './exchanges.ts'
import { createReceiver } from './receive-request.ts'
import { createRefusalNotes, type Refusal } from './refusals/refusal-notes.ts'
import { answerBroken } from './replies/answer-broken.ts'
import { healthRoutes } from './routes/health-routes.ts'
import type { Route } from './routes/route.ts'
import { labelOf } from './visitors/visitor.ts'

export interface DoorOptions {
  /** `[host:]port`. */
  address: string
  /** Names under which the server is reached, beside that of this machine. */
  hosts?: readonly string[] | undefined
  /** The address by which browsers come, if a proxy stands before us. */
  publicUrl?: string | undefined
  admission: Admission
  /** In order; `/healthz` and `/readyz` come first. */
  routes: readonly Route[]
  /** Said where no route is. */
  nothingHere?: string | undefined
  /** Beside being open. */
  isReady?: (() => boolean) | undefined
  /** Told of requests that were not served; not of each one in a flood of them. */
  onRefused?: ((refusal: Refusal) => void) | undefined
  onError?: ((error: unknown) => void) | undefined
  /** It is to be closed: what lasts should be told to end, which it has a second for. */
  onClosing?: (() => void | Promise<void>) | undefined
  bounds?: Partial<Bounds> | undefined
}

export interface Door {
  /** Without a path. */
  url: string
  port: number
  /** Let nobody in any more; what was let in before has `graceMs` to end. Default 10,000. */
  close(options?: { graceMs?: number }): Promise<void>
}

const defaultGraceMs = 10_000
const toldToEndMs = 1_000
/** So often is looked whether those whose replies last may still be here. */
const lookAroundMs = 2_000

/** Listen, and let in who may. @throws {DoorError} `bad_address`, `too_open`, `cannot_listen` */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const { admission, isReady = () => true, onError = () => {}, onRefused = () => {} } = options
  const { host, port } = parseAddress(options.address)
  if (!isLoopback(host) && !admission.isLocked())
    throw new DoorError('too_open', `${options.address}: other machines could use it.`)
  const bounds = { ...defaultBounds, ...options.bounds }
  const notes = createRefusalNotes(onRefused)
  const exchanges = createExchanges()
  let isClosing = false
  const receive = createReceiver({
    names: knownNames(host, options),
    admission,
    routes: [...healthRoutes(() => !isClosing && isReady()), ...options.routes],
    nothingHere: options.nothingHere ?? 'There is nothing here.',
    exchanges,
    notes,
    onError,
    isClosing: () => isClosing,
  })
  const replies = new WeakMap<Duplex, ServerResponse>()
  const server = createBoundedServer(bounds)
  server.on('request', (request, response) => {
    replies.set(request.socket, response)
    receive(request, response)
  })
  server.on('checkContinue', (request, response) => {
    replies.set(request.socket, response)
    receive(request, response, true)
  })
  const noteOnly = (reason: string, status: number, address = ''): void =>
    notes.note({ reason, status, method: '', path: '', address })
  server.on('clientError', (error, socket) => {
    const { remoteAddress } = socket as Socket
    const answered = answerBroken(error, socket, replies.get(socket))
    if (answered) noteOnly(answered.reason, answered.status, remoteAddress)
  })
  server.on('drop', (data) => noteOnly('connections', 0, data?.remoteAddress))

  /** Who was let in may not be any more: a token was revoked, a caller taken out. */
  function lookAround(): void {
    for (const { visitor, response, request, beganAt } of exchanges.all) {
      const isNew = performance.now() - beganAt < lookAroundMs
      if (visitor === undefined || isNew || admission.isStillIn(visitor)) continue
      const { remoteAddress = '' } = request.socket
      const who = labelOf(visitor)
      notes.note({
        reason: 'put_out',
        status: 0,
        method: '',
        path: '',
        address: remoteAddress,
        who,
      })
      response.destroy()
    }
  }
  const looking = setInterval(lookAround, lookAroundMs).unref()

  const realPort = await listen(server, options.address, host, port).catch((error: unknown) => {
    clearInterval(looking)
    throw error
  })
  const shownHost = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  let closed: Promise<void> | undefined
  async function close(graceMs: number): Promise<void> {
    isClosing = true
    const gone = new Promise((resolve) => server.close(resolve))
    for (const { response } of exchanges.all) response.shouldKeepAlive = false
    await Promise.race([told(options.onClosing, onError), sleep(toldToEndMs)])
    for (const { response, isEndless } of exchanges.all) if (isEndless) response.destroy()
    await exchanges.untilDone(graceMs)
    clearInterval(looking)
    server.closeAllConnections()
    await gone
    notes.flush()
  }
  return {
    url: `http://${shownHost}:${realPort}`,
    port: realPort,
    close: ({ graceMs = defaultGraceMs } = {}) => {
      closed ??= close(graceMs)
      return closed
    },
  }
}

function knownNames(host: string, { hosts = [], publicUrl }: DoorOptions): Names {
  if (publicUrl === undefined) return { names: namesOf(host, hosts), publicOrigin: undefined }
  const { origin, hostname } = new URL(publicUrl)
  return { names: namesOf(host, [...hosts, hostname]), publicOrigin: origin }
}

function createBoundedServer(bounds: Bounds): Server {
  const { headersMs, requestMs, idleMs, headerBytes, connections } = bounds
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(5_000, headersMs / 2),
    maxHeaderSize: headerBytes,
    insecureHTTPParser: false,
    // Said by ourselves, so that it is told of.
    requireHostHeader: false,
  })
  server.maxConnections = connections
  // A header that is dropped since there are too many could be the one that matters.
  server.maxHeadersCount = 0
  return server
}

async function listen(
  server: Server,
  address: string,
  host: string,
  port: number,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new DoorError('cannot_listen', `${address}: ${error.code ?? error.message}.`, error)),
    )
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve)
  })
  const bound = server.address()
  return typeof bound === 'object' && bound ? bound.port : port
}

async function told(
  tell: DoorOptions['onClosing'],
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    await tell?.()
  } catch (error) {
    onError(error)
  }
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())

import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client,
  type DiscoverResult,
  isSpecType,
  type JSONRPCMessage,
  ProtocolError,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Connect, Connection, ConnectOptions } from '#servers/connection/connection'
import { SignInNeeded } from '#servers/connection/sign-in-needed'
import type { Challenge } from '#servers/protocol/challenge'
import type { JsonObject } from '#servers/protocol/message'
import { declareTasks } from '#servers/protocol/tasks'
import { withResolvers } from '#servers/protocol/with-resolvers'
import { identity } from '../../identity.ts'
import { failure } from './as-answer.ts'
import { ClientConnection } from './client-connection.ts'
import { authorizationErrorIn, httpTransport } from './http-transport.ts'
import { causesOf, endedWithin, isUndelivered } from './lost-connection.ts'
import { readableError } from './readable-error.ts'
import { createStdioTransport } from './stdio-transport.ts'

/** Servers of 2025 may not answer the probe at all. */
const probeMs = 3_000

/** Connects with the SDK's client and its transports; messages pass unchanged. */
export const connect: Connect = async (options) => {
  options.signal.throwIfAborted()
  try {
    return await connectOnce(options)
  } catch (error) {
    // A server that now rejects its known era may have been replaced by a newer version.
    const mayBeNewer = options.era === 'legacy' && isAnswer(error) && !options.signal.aborted
    if (!mayBeNewer) throw error
    return connectOnce({ ...options, era: undefined })
  }
}

const connectOnce = (options: ConnectOptions): Promise<Connection> =>
  options.server.type === 'stdio' ? connectStdio(options) : connectHttp(options)

/**
 * Asks for the newer era first. If that fails, or takes longer than `probeMs`, the older handshake
 * decides, unless the probe succeeds before it.
 */
async function connectHttp(options: ConnectOptions): Promise<Connection> {
  const { server, tokens, signal } = options
  if (server.type === 'stdio') throw new TypeError('not an HTTP server')
  if (options.era === 'legacy' || server.type === 'sse') return initialize(options, server)
  const attempts = new AbortController()
  const attemptOptions = { ...options, signal: AbortSignal.any([signal, attempts.signal]) }
  // Some servers answer 401 to what they do not know: that must not cost a valid token.
  let isProbe = true
  const probeTokens = tokens && {
    token: () => tokens.token(),
    renew: (refused: string | undefined, challenge: Challenge) =>
      isProbe ? refuseToRenew() : tokens.renew(refused, challenge),
  }
  const probing = open(attemptOptions, httpTransport(server, probeTokens), { mode: pinned })
  const probed = probing.then(() => {
    isProbe = false
  }, toError)
  const refusal = await Promise.race([probed, passed(probeMs)])
  if (refusal === undefined) return probing
  if (signal.aborted) throw readableError(refusal)
  const mayBeExpired = tokens !== undefined && isUnauthorized(refusal)
  const older = initialize(attemptOptions, server, !mayBeExpired)
  // A server that was asleep answers both at the same time.
  older.catch(async () => attempts.abort(await passed(probeMs)))
  try {
    const first = await Promise.any([probing, older])
    attempts.abort()
    for (const attempt of [probing, older])
      void attempt.then((it) => (it === first ? undefined : it.close()), toError)
    return first
  } catch {
    const [newer, error] = await Promise.all([probing.catch(toError), older.catch(toError)])
    if (!isUnauthorized(newer) || isUnauthorized(error) || signal.aborted) throw error
    // The handshake may have renewed the token that the probe was refused for. If not, a refused
    // probe says more than a handshake that the server does not know.
    return open(options, httpTransport(server, tokens), { mode: pinned }).catch((last) => {
      if (!isUnauthorized(last)) throw error
      throw authorizationErrorIn(last, tokens) ?? readableError(last)
    })
  }
}

/** The handshake of 2025; a server of 2024 does not accept POST at this URL. */
async function initialize(
  options: ConnectOptions,
  server: Parameters<typeof httpTransport>[0],
  isProbed = false,
): Promise<Connection> {
  const { tokens, signal } = options
  const handshake = { prior: { kind: 'legacy' as const }, isProbed }
  try {
    return await open(options, httpTransport(server, tokens), handshake)
  } catch (error) {
    const isOld = error instanceof SdkHttpError && [400, 404, 405].includes(error.status ?? 0)
    if (!isOld || server.type === 'sse' || signal.aborted)
      throw authorizationErrorIn(error, tokens) ?? readableError(error)
    const sse = httpTransport({ ...server, type: 'sse' }, tokens)
    return open(options, sse, handshake).catch((second) => {
      throw authorizationErrorIn(second, tokens) ?? readableError(error)
    })
  }
}

const passed = (ms: number): Promise<Error> =>
  sleep(ms, new Error(`no answer within ${ms / 1000} s`), { ref: false })

async function refuseToRenew(): Promise<never> {
  throw new SignInNeeded('the probe was refused')
}

const toError = (error: Error): Error => error

const isUnauthorized = (error: unknown): boolean =>
  causesOf(error).some(
    (error) =>
      error instanceof SignInNeeded || (error instanceof SdkHttpError && error.status === 401),
  )

/**
 * Negotiates the era in the process that is then used; a process that exits over it, or that only
 * answers the probe in the end, is started again.
 */
async function connectStdio(options: ConnectOptions): Promise<Connection> {
  const { server, signal, era } = options
  if (server.type !== 'stdio') throw new TypeError('not a stdio server')
  const transport = createStdioTransport(server, options)
  const legacy: Handshake = { prior: { kind: 'legacy' } }
  const probe: Handshake = { mode: 'auto' }
  try {
    const handshake = era === 'legacy' ? legacy : probe
    return await open(options, transport, handshake, () => transport.reason)
  } catch (error) {
    const wasTried = era !== 'legacy' && transport.pid !== null && !signal.aborted
    if (!wasTried) throw readableError(error)
    const again = createStdioTransport(server, options)
    const prior = probe.late && { kind: 'modern' as const, discover: probe.late }
    const second = prior ? { prior } : { ...legacy, isProbed: true }
    return open(options, again, second, () => again.reason).catch((last) => {
      throw readableError(last)
    })
  }
}

/** Only the newer era. */
const pinned = { pin: '2026-07-28' }

interface Handshake {
  /** Asks the server for its era. */
  mode?: 'auto' | typeof pinned
  /** The era is known. */
  prior?: ConnectPrior
  isProbed?: boolean
  /** What the server answered to the probe while it was waited for `initialize`. */
  late?: DiscoverResult
}

type ConnectPrior = NonNullable<NonNullable<Parameters<Client['connect']>[1]>['prior']>

async function open(
  options: ConnectOptions,
  transport: Transport,
  handshake: Handshake,
  endReason: () => string | undefined = () => undefined,
): Promise<Connection> {
  const { mode, prior } = handshake
  const { capabilities, server } = options
  const timeoutMs =
    mode === pinned ? server.startTimeoutMs : Math.min(probeMs, server.startTimeoutMs / 2)
  const client = new Client(identity, {
    capabilities,
    inputRequired: { autoFulfill: false },
    ...(mode && { versionNegotiation: { mode, probe: { timeoutMs } } }),
  })
  const { promise: closed, resolve: end } = withResolvers<string>()
  client.onclose = () => end(endReason() ?? 'the connection was closed')
  // Errors outside requests: late results and lost streams; progress is handled below. A server of
  // 2024 sends everything on one SSE stream, and is lost with it.
  client.onerror = (error) => {
    if (transport instanceof SSEClientTransport && error instanceof SseError)
      void transport.close().catch(() => {})
  }
  client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
    options.onAsk({ method, params }, mcpReq.signal)
  const progress = new Map<string, (progress: JsonObject) => void>()
  const giveUp = (): void => void transport.close().catch(() => {})
  let patience: NodeJS.Timeout | undefined
  // Notifications are handled before the SDK parses them: in order, unchanged, before the result.
  transport.onmessage = (message) => {
    if (isLateDiscovery(message)) {
      handshake.late = message.result
      patience = setTimeout(giveUp, probeMs)
    }
    if (!('method' in message) || 'id' in message || !isNotification(message)) return
    const { method, params } = message as { method: string; params?: JsonObject }
    if (method === 'notifications/progress') {
      const { progressToken, ...rest } = params ?? {}
      progress.get(String(progressToken))?.(rest)
    } else options.onNotification({ method, params })
  }
  const send = transport.send.bind(transport)
  transport.send = (message, sent) => {
    const id = 'method' in message && 'id' in message ? message.id : undefined
    const broken = () =>
      id !== undefined && transport.onmessage?.(failure(id, 'an event stream that broke off'))
    return send(declareTasks(message), { onRequestStreamEnd: () => void broken(), ...sent })
  }
  options.signal.addEventListener('abort', giveUp, { once: true })
  try {
    await client.connect(transport, {
      signal: options.signal,
      timeout: server.startTimeoutMs,
      ...(prior && { prior }),
    })
  } catch (error) {
    // Why the process ended, and not that it is closed now.
    if (isUndelivered(error)) await endedWithin(closed)
    const reason = endReason()
    await transport.close().catch(() => {})
    throw reason === undefined ? error : new Error(reason, { cause: error })
  } finally {
    clearTimeout(patience)
    options.signal.removeEventListener('abort', giveUp)
  }
  // A late answer leaves open which era it is.
  const isProbed =
    (mode !== undefined || handshake.isProbed === true) && handshake.late === undefined
  const { tokens } = options
  return new ClientConnection(client, transport, {
    progress,
    capabilities,
    isProbed,
    closed,
    end,
    tokens,
  })
}

const isLateDiscovery = (
  message: JSONRPCMessage,
): message is JSONRPCMessage & { result: DiscoverResult } =>
  'result' in message &&
  String(message.id).startsWith('server-discover-probe') &&
  isSpecType.DiscoverResult(message.result)

function isNotification(message: object): boolean {
  const { method, params } = message as { method: unknown; params?: unknown }
  const isNamed = typeof method === 'string' && method !== ''
  return isNamed && (params === undefined || (typeof params === 'object' && params !== null))
}

/** True for a JSON-RPC error, or an HTTP error that stands for one. */
const isAnswer = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) =>
      cause instanceof ProtocolError ||
      (cause instanceof SdkHttpError &&
        [400, 404, 405, 406, 415, 422, 501].includes(cause.status ?? 0)),
  )

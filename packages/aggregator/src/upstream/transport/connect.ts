import {
  Client,
  ProtocolError,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client'
import type { ServerConfig } from '../../config/server-config.ts'
import { identity } from '../../identity.ts'
import type { Era, JsonObject } from '../../protocol/message.ts'
import { declareTasks, markTask } from '../../protocol/tasks.ts'
import { withResolvers } from '../../protocol/with-resolvers.ts'
import type { Connect, Connection, ConnectOptions } from '../connection/connection.ts'
import { ClientConnection } from './client-connection.ts'
import { authorizationErrorIn, httpTransport } from './http-transport.ts'
import { causesOf, endedWithin, isUndelivered } from './lost-connection.ts'
import { readableError } from './readable-error.ts'
import { createStdioTransport } from './stdio-transport.ts'
import { createUnreadableAnswers, isUnreadable } from './unreadable-answers.ts'

/** Timeout of the era negotiation: servers of 2025 may not answer it at all. */
const probeTimeoutMs = 5_000

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

async function connectOnce(options: ConnectOptions): Promise<Connection> {
  const { server, signal } = options
  if (server.type === 'stdio') return connectStdio(options)
  try {
    return await open(options, httpTransport(server, options.tokens), options.era)
  } catch (error) {
    // A server of 2024 does not accept POST at this URL.
    const isOld = error instanceof SdkHttpError && [400, 404, 405].includes(error.status ?? 0)
    if (!isOld || server.type === 'sse' || signal.aborted)
      throw authorizationErrorIn(error, options.tokens) ?? readableError(error)
    try {
      return await open(
        options,
        httpTransport({ ...server, type: 'sse' }, options.tokens),
        'legacy',
      )
    } catch (second) {
      throw authorizationErrorIn(second, options.tokens) ?? readableError(error)
    }
  }
}

/**
 * Negotiates the era in the process that is then used; a process that exits over it is started
 * again.
 */
async function connectStdio(options: ConnectOptions): Promise<Connection> {
  const { server, signal, onStderr } = options
  if (server.type !== 'stdio') throw new TypeError('not a stdio server')
  const transport = createStdioTransport(server, onStderr)
  try {
    return await open(options, transport, options.era, () => transport.reason)
  } catch (error) {
    const wasTried = options.era !== 'legacy' && transport.pid !== null && !signal.aborted
    if (!wasTried) throw readableError(error)
    const again = createStdioTransport(server, onStderr)
    try {
      return await open(options, again, 'legacy', () => again.reason)
    } catch (second) {
      throw readableError(second)
    }
  }
}

async function open(
  options: ConnectOptions,
  transport: Transport,
  era: Era | undefined,
  endReason: () => string | undefined = () => undefined,
): Promise<Connection> {
  const client = new Client(identity, {
    capabilities: options.capabilities,
    inputRequired: { autoFulfill: false },
    ...(era !== 'legacy' && {
      versionNegotiation: {
        mode: 'auto',
        probe: { timeoutMs: probeTimeout(options.server) },
      },
    }),
  })
  const { promise: closed, resolve: end } = withResolvers<string>()
  client.onclose = () => end(endReason() ?? 'the connection was closed')
  // Errors outside requests: late results and lost streams; progress is handled below. A server of
  // 2024 sends everything on one SSE stream, and is lost with it.
  const answers = createUnreadableAnswers()
  client.onerror = (error) => {
    if (isUnreadable(error)) answers.note()
    if (transport instanceof SSEClientTransport && error instanceof SseError)
      void transport.close().catch(() => {})
  }
  client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
    options.onAsk({ method, params }, mcpReq.signal)
  const progress = new Map<string, (progress: JsonObject) => void>()
  // Notifications are handled before the SDK parses them: in order, unchanged, before the result.
  transport.onmessage = (message) => {
    if ('result' in message) markTask(message)
    if (!('method' in message) || 'id' in message || !isNotification(message)) return
    const { method, params } = message as { method: string; params?: JsonObject }
    if (method === 'notifications/progress') {
      const { progressToken, ...rest } = params ?? {}
      progress.get(String(progressToken))?.(rest)
    } else options.onNotification({ method, params })
  }
  const send = transport.send.bind(transport)
  transport.send = (message, sent) => send(declareTasks(message), sent)
  const giveUp = (): void => void transport.close().catch(() => {})
  options.signal.addEventListener('abort', giveUp, { once: true })
  try {
    await client.connect(transport, {
      signal: options.signal,
      timeout: options.server.startTimeoutMs,
      ...(era === 'legacy' && { prior: { kind: 'legacy' as const } }),
    })
  } catch (error) {
    // Why the process ended, and not that it is closed now.
    if (isUndelivered(error)) await endedWithin(closed)
    const reason = endReason()
    await transport.close().catch(() => {})
    throw reason === undefined ? error : new Error(reason, { cause: error })
  } finally {
    options.signal.removeEventListener('abort', giveUp)
  }
  return new ClientConnection(client, transport, {
    progress,
    answers,
    closed,
    end,
    tokens: options.tokens,
  })
}

/** Over HTTP the full start timeout: silent servers of 2025 are rare there. */
const probeTimeout = ({ type, startTimeoutMs }: ServerConfig): number =>
  type === 'stdio' ? Math.min(probeTimeoutMs, startTimeoutMs / 2) : startTimeoutMs

function isNotification(message: object): boolean {
  const { method, params } = message as { method: unknown; params?: unknown }
  const isNamed = typeof method === 'string' && method !== ''
  return isNamed && (params === undefined || (typeof params === 'object' && params !== null))
}

/** True for a JSON-RPC error, or an HTTP error that stands for one. */
const isAnswer = (error: unknown): boolean =>
  causesOf(error).some(
    (one) => one instanceof ProtocolError || (one instanceof SdkHttpError && one.status === 400),
  )

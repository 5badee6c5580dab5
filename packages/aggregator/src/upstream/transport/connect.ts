import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client'
import type { ServerConfig } from '../../config/server-config.ts'
import { identity } from '../../identity.ts'
import type { Era, JsonObject, RequestOptions } from '../../protocol/message.ts'
import { verbatim } from '../../protocol/verbatim.ts'
import {
  type Connect,
  type Connection,
  ConnectionLost,
  type ConnectOptions,
} from '../connection/connection.ts'
import { Undelivered } from '../process/undelivered.ts'
import { followChanges } from './follow-changes.ts'
import { authorizationErrorIn, httpTransport } from './http-transport.ts'
import { paramHeaders } from './param-headers.ts'
import { readableError } from './readable-error.ts'
import { createStdioTransport } from './stdio-transport.ts'
import {
  createUnreadableAnswers,
  isUnreadable,
  type UnreadableAnswers,
  unreadable,
} from './unreadable-answers.ts'

/** Timeout of the era negotiation: servers of 2025 may not answer it at all. */
const probeTimeoutMs = 5_000
/** The SDK's own timeout is off: the caller has one that considers progress and questions. */
const never = 2 ** 31 - 1

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
  let end = (_reason: string): void => {}
  const closed = new Promise<string>((resolve) => {
    end = resolve
  })
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
    if (!('method' in message) || 'id' in message || !isNotification(message)) return
    const { method, params } = message as { method: string; params?: JsonObject }
    if (method === 'notifications/progress') {
      const { progressToken, ...rest } = params ?? {}
      progress.get(String(progressToken))?.(rest)
    } else options.onNotification({ method, params })
  }
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
  return converse(client, transport, { progress, answers, closed, end, tokens: options.tokens })
}

interface Conversation {
  progress: Map<string, (progress: JsonObject) => void>
  answers: UnreadableAnswers
  closed: Promise<string>
  end: (reason: string) => void
  tokens: ConnectOptions['tokens']
}

function converse(
  client: Client,
  transport: Transport,
  { progress, answers, closed, end, tokens }: Conversation,
): Connection {
  const era = client.getProtocolEra() ?? 'legacy'
  const capabilities = (client.getServerCapabilities() ?? {}) as JsonObject
  const isHttp = !('pid' in transport)
  let requests = 0
  let isClosed = false
  void closed.then(() => {
    isClosed = true
  })

  async function close(reason: string): Promise<void> {
    end(reason)
    await transport.close().catch(() => {})
    await client.close().catch(() => {})
  }

  async function request(
    { method, params }: { method: string; params?: JsonObject | undefined },
    { signal, onProgress, tool }: RequestOptions = {},
  ): Promise<JsonObject> {
    const token = onProgress && `p${++requests}`
    if (token !== undefined) progress.set(token, onProgress as (progress: JsonObject) => void)
    const meta = params?.['_meta'] as JsonObject | undefined
    const sent =
      token === undefined ? params : { ...params, _meta: { ...meta, progressToken: token } }
    const options = {
      timeout: never,
      allowInputRequired: true,
      ...(signal && { signal }),
      ...(isHttp && era === 'modern' && { headers: paramHeaders(tool, params?.['arguments']) }),
    }
    try {
      const message = { method, ...(sent && { params: sent }) }
      const answer = client.request(message, verbatim, options)
      return isHttp ? await answers.await(answer) : await answer
    } catch (error) {
      // The reason may be that the client disconnected, which is not the server's end.
      throw signal?.aborted ? error : await lostOr(error)
    } finally {
      if (token !== undefined) progress.delete(token)
    }
  }

  /** Over HTTP a lost server is noticed at the next request only. */
  async function lostOr(error: unknown): Promise<unknown> {
    const unauthorized = authorizationErrorIn(error, tokens)
    if (unauthorized) return unauthorized
    if (isUnreadable(error)) return unreadable()
    if (isHttp && era === 'legacy' && hasForgotten(error)) {
      await close('it dropped the session')
      return new ConnectionLost('it dropped the session', true)
    }
    if (isUndelivered(error) || isBrokenPipe(error)) {
      await endedWithin(closed)
      await close('its input is closed')
      return new ConnectionLost(await closed, isUndelivered(error))
    }
    if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
      return new ConnectionLost(await closed)
    if (isClosed && !(error instanceof ProtocolError)) return new ConnectionLost(await closed)
    if (isHttp && isNetworkError(error)) {
      const reason = readableError(error).message
      await close(reason)
      return new ConnectionLost(reason)
    }
    return error
  }

  return {
    era,
    capabilities,
    serverInfo: client.getServerVersion() as JsonObject | undefined,
    instructions: client.getInstructions(),
    closed,
    request,
    notify: (message) => void client.notification(message as never).catch(() => {}),
    follow: followChanges(client, era, capabilities, request),
    close: () => close('it was stopped'),
  }
}

const isUndelivered = (error: unknown): boolean =>
  causesOf(error).some((one) => one instanceof Undelivered)

/** A process that does not read has most often ended; how it ended is known within this time. */
const endMs = 300

const endedWithin = (closed: Promise<string>): Promise<unknown> =>
  Promise.race([closed, new Promise((resolve) => void setTimeout(resolve, endMs).unref())])

/** The message was written together with others, some of which may have been read. */
const isBrokenPipe = (error: unknown): boolean =>
  ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ECONNRESET'].includes(
    (error as NodeJS.ErrnoException | null)?.code ?? '',
  )

/** Over HTTP the full start timeout: silent servers of 2025 are rare there. */
const probeTimeout = ({ type, startTimeoutMs }: ServerConfig): number =>
  type === 'stdio' ? Math.min(probeTimeoutMs, startTimeoutMs / 2) : startTimeoutMs

/** True for a lost session: servers should answer 404, and some answer 400. */
function hasForgotten(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false
  const text = String((error.data as { text?: unknown } | undefined)?.text ?? '')
  return error.status === 404 || (error.status === 400 && /session/i.test(text))
}

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

function causesOf(error: unknown): unknown[] {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause === undefined ? [error] : [error, ...causesOf(cause)]
}

const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError && /fetch failed|terminated|network/i.test(error.message)

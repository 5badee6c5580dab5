import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Client,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SdkHttpError,
  type Transport,
} from '@modelcontextprotocol/client'
import {
  type Connection,
  ConnectionLost,
  HttpRefusal,
  type TokenSource,
} from '#servers/connection/connection'
import type { Era, JsonObject, Message, RequestOptions } from '#servers/protocol/message'
import { markTask } from '#servers/protocol/tasks'
import { identity } from '../../identity.ts'
import { DirectRequests } from './direct-requests.ts'
import { followChanges } from './follow-changes.ts'
import { authorizationErrorIn } from './http-transport.ts'
import {
  endedWithin,
  hasForgotten,
  isBrokenPipe,
  isConnectionClosed,
  isNetworkError,
  isUndelivered,
} from './lost-connection.ts'
import { paramHeaders } from './param-headers.ts'
import { readableError } from './readable-error.ts'

interface Conversation {
  /** Handlers of progress, by token. */
  progress: Map<string, (progress: JsonObject) => void>
  /** Declared at the handshake. */
  capabilities: JsonObject
  /** The server was asked for its era. */
  isProbed: boolean
  closed: Promise<string>
  /** Resolves `closed`. */
  end: (reason: string) => void
  tokens: TokenSource | undefined
}

/** A connection over the SDK's client, after `initialize`. */
export class ClientConnection implements Connection {
  readonly era: Era
  readonly isProbed: boolean
  readonly capabilities: JsonObject
  readonly serverInfo: JsonObject | undefined
  readonly instructions: string | undefined
  readonly pid: number | undefined
  readonly closed: Promise<string>
  readonly follow: Connection['follow']
  readonly #client: Client
  readonly #transport: Transport
  readonly #conversation: Conversation
  readonly #isHttp: boolean
  readonly #direct: DirectRequests
  #requests = 0
  #isClosed = false

  constructor(client: Client, transport: Transport, conversation: Conversation) {
    this.#client = client
    this.#transport = transport
    this.#conversation = conversation
    this.#isHttp = !('pid' in transport)
    this.era = client.getProtocolEra() ?? 'legacy'
    this.isProbed = conversation.isProbed
    const envelope = {
      [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
      [CLIENT_INFO_META_KEY]: identity,
      [CLIENT_CAPABILITIES_META_KEY]: conversation.capabilities,
    }
    const direct = new DirectRequests(transport, this.era === 'modern' ? envelope : undefined)
    const { onmessage } = transport
    transport.onmessage = (message, extra) => {
      markTask(message)
      if (!direct.settle(message)) onmessage?.(message, extra)
    }
    this.#direct = direct
    this.capabilities = (client.getServerCapabilities() ?? {}) as JsonObject
    this.serverInfo = client.getServerVersion() as JsonObject | undefined
    this.instructions = client.getInstructions()
    this.pid = (transport as { pid?: number }).pid
    this.closed = conversation.closed
    this.follow = followChanges(client, this.era, this.capabilities, (message, options) =>
      this.request(message, options),
    )
    void this.closed.then(() => {
      this.#isClosed = true
      direct.end()
    })
  }

  async request(
    { method, params }: Message,
    { signal, onProgress, tool }: RequestOptions = {},
  ): Promise<JsonObject> {
    const { progress } = this.#conversation
    const token = onProgress && `p${++this.#requests}`
    if (token !== undefined && onProgress) progress.set(token, onProgress)
    const meta = params?.['_meta'] as JsonObject | undefined
    const sent =
      token === undefined ? params : { ...params, _meta: { ...meta, progressToken: token } }
    const headers =
      this.#isHttp && this.era === 'modern' ? paramHeaders(tool, params?.['arguments']) : undefined
    try {
      return await this.#direct.request({ method, params: sent }, { signal, headers })
    } catch (error) {
      // The reason may be that the client disconnected, which is not the server's end.
      throw signal?.aborted ? error : await this.#lostOr(error)
    } finally {
      if (token !== undefined) progress.delete(token)
    }
  }

  notify(message: Message): void {
    void this.#client.notification(message as never).catch(() => {})
  }

  close(): Promise<void> {
    return this.#end('it was stopped')
  }

  async #end(reason: string): Promise<void> {
    this.#conversation.end(reason)
    await this.#transport.close().catch(() => {})
    await this.#client.close().catch(() => {})
  }

  /** Over HTTP a lost server is noticed at the next request only. */
  async #lostOr(error: unknown): Promise<unknown> {
    const unauthorized = authorizationErrorIn(error, this.#conversation.tokens)
    if (unauthorized) return unauthorized
    if (this.#isHttp && this.era === 'legacy' && hasForgotten(error)) {
      await this.#end('it dropped the session')
      return new ConnectionLost('it dropped the session', true)
    }
    if (error instanceof SdkHttpError) return new HttpRefusal(readableError(error), error.status)
    if (isUndelivered(error) || isBrokenPipe(error)) {
      await endedWithin(this.closed)
      await this.#end('its input is closed')
      return new ConnectionLost(await this.closed, isUndelivered(error))
    }
    if (isConnectionClosed(error)) return new ConnectionLost(await this.closed)
    if (this.#isClosed && !(error instanceof ProtocolError))
      return new ConnectionLost(await this.closed)
    if (this.#isHttp && (error instanceof ConnectionLost || isNetworkError(error))) {
      const reason = readableError(error).message
      await this.#end(reason)
      return new ConnectionLost(reason)
    }
    return error
  }
}

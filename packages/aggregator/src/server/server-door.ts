import type { ServerResponse } from 'node:http'
import { relayRequest } from '../call/stages/relay-request.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import { type JsonObject, type Message, metaKeys, RpcError, rpcCodes } from '../protocol/message.ts'
import type { RequestContext, Session } from '../protocol/request-context.ts'
import { type Resolvers, withResolvers } from '../protocol/with-resolvers.ts'
import type { Instance } from '../upstream/instance.ts'
import type { DoorLine, DoorRequest } from '../upstream/transport/replica-connection.ts'

/** A connection of another replica to a server that runs here. */
interface OpenDoor {
  session: Session
  instance: Instance
  /** Where notifications go that belong to no request. */
  listener: ServerResponse | undefined
  uris: readonly string[]
}

/**
 * Lets other replicas use the servers of this one. Their calls pass no limits here, are not recorded
 * and not checked: the replica of the client does that.
 */
export class ServerDoor {
  readonly #gateway: Gateway
  readonly #doors = new Map<string, OpenDoor>()
  readonly #asked = new Map<string, Resolvers<JsonObject>>()

  constructor({ gateway }: { gateway: Gateway }) {
    this.#gateway = gateway
  }

  /** Answers a request of another replica, whose right is checked before. */
  async answer(request: DoorRequest, response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.flushHeaders()
    const door = request.op === 'listen' ? this.#doors.get(request.connection) : undefined
    if (door) {
      door.listener = response
      response.once('close', () => this.#close(request.connection, 'the replica has disconnected'))
      return
    }
    const line = await this.#resultOf(request, response).then(
      (result): DoorLine => ({ result }),
      (error: unknown): DoorLine => ({ error: refusalOf(error) }),
    )
    response.end(`${JSON.stringify(line)}\n`)
  }

  close(): void {
    for (const id of [...this.#doors.keys()]) this.#close(id, 'the replica was stopped')
  }

  #close(id: string, reason: string): void {
    const door = this.#doors.get(id)
    this.#doors.delete(id)
    if (door === undefined) return
    this.#gateway.clients.leave(door.session)
    door.instance.requests.sessions.delete(door.session)
    door.listener?.end(`${JSON.stringify({ result: { reason } })}\n`)
  }

  async #open({ unit, connection, capabilities, era = 'modern' }: Of<'open'>): Promise<JsonObject> {
    const { clients, fleet } = this.#gateway
    const server = fleet.units.get(unit)
    if (server === undefined)
      throw new RpcError(rpcCodes.invalidParams, `There is no server ${unit}.`)
    const notify = (notification: Message): void =>
      write(this.#doors.get(connection)?.listener, { notification })
    const session: Session = { id: `replica ${connection}`, era, capabilities, notify }
    const instance = this.#gateway.instanceOf(server, session, capabilities)
    instance.requests.sessions.add(session)
    clients.join(session)
    this.#doors.set(connection, { session, instance, listener: undefined, uris: [] })
    return instance.use(async (own) => {
      void own.closed.then((reason) => this.#close(connection, reason))
      const { serverInfo, instructions } = own
      return { era: own.era, capabilities: own.capabilities, serverInfo, instructions }
    })
  }

  async #resultOf(request: DoorRequest, response: ServerResponse): Promise<JsonObject> {
    if (request.op === 'open') return this.#open(request)
    const door = this.#doors.get(request.connection)
    if (door === undefined) throw new RpcError(rpcCodes.invalidParams, 'The connection has ended.')
    switch (request.op) {
      case 'request': {
        const { _meta, ...params } = request.message.params ?? {}
        const context = this.#contextOf(door, request.message, response)
        return relayRequest(door.instance, { ...request.message, params }, context)
      }
      case 'notify':
        await door.instance.use(async (connection) => connection.notify(request.message))
        return {}
      case 'follow':
        await this.#follow(door, request.uris)
        return {}
      case 'answer':
        if (request.result) this.#asked.get(request.ask)?.resolve(request.result)
        else this.#asked.get(request.ask)?.reject(new Error(request.error?.message))
        return {}
      default:
        this.#close(request.connection, 'the connection was closed')
        return {}
    }
  }

  async #follow(door: OpenDoor, uris: readonly string[]): Promise<void> {
    const { instance, session, uris: before } = door
    door.uris = uris
    for (const uri of new Set([...before, ...uris]))
      await this.#gateway.clients.follow(
        instance,
        session,
        uri,
        uris.includes(uri) ? uri : undefined,
      )
  }

  /** A request of a client of the other replica, which is reached through the reply. */
  #contextOf({ session }: OpenDoor, { params }: Message, response: ServerResponse): RequestContext {
    const ended = new AbortController()
    response.once('close', () => ended.abort(new Error('the client has disconnected')))
    const { [metaKeys.capabilities]: declared, ...meta } = (params?.['_meta'] ?? {}) as JsonObject
    return {
      session,
      signal: ended.signal,
      capabilities: (declared as JsonObject | undefined) ?? session.capabilities,
      // The other replica has asked for the log level itself, and repeats its requests itself.
      passthrough: {
        meta,
        logLevel: undefined,
        takes: { inputRequired: true, tasks: true },
        retry: undefined,
      },
      notify: (notification) => write(response, { notification }),
      ask: (message) => {
        const ask = crypto.randomUUID()
        const answer = withResolvers<JsonObject>()
        this.#asked.set(ask, answer)
        write(response, { ask, message })
        const gone = (): void => answer.reject(ended.signal.reason)
        ended.signal.addEventListener('abort', gone, { once: true })
        return answer.promise.finally(() => this.#asked.delete(ask))
      },
    }
  }
}

type Of<Op extends DoorRequest['op']> = Extract<DoorRequest, { op: Op }>

const write = (response: ServerResponse | undefined, line: DoorLine): void =>
  void response?.write(`${JSON.stringify(line)}\n`)

function refusalOf(error: unknown): Extract<DoorLine, { error: unknown }>['error'] {
  const { message, code, data } = error as { message: string; code?: unknown; data?: unknown }
  if (error instanceof AggregatorError) return { code: error.code, message, remedy: error.remedy }
  return { code: typeof code === 'number' ? code : rpcCodes.internal, message, data }
}

import { type IncomingMessage, request as send } from 'node:http'
import { request as sendSecurely } from 'node:https'
import { AggregatorError, type AggregatorErrorCode } from '../../protocol/aggregator-error.ts'
import { type Era, type JsonObject, type Message, serverRpcError } from '../../protocol/message.ts'
import { readLines } from '../../protocol/read-lines.ts'
import { unitName } from '../../protocol/unit.ts'
import { withResolvers } from '../../protocol/with-resolvers.ts'
import { type Connection, ConnectionLost, type ConnectOptions } from '../connection/connection.ts'

/** A request to the replica that runs a server, as JSON. */
export type DoorRequest =
  | {
      op: 'open'
      unit: string
      connection: string
      capabilities: JsonObject
      era?: Era | undefined
    }
  | { op: 'listen' | 'close'; connection: string }
  | { op: 'request'; connection: string; id: string; message: Message }
  | { op: 'notify'; connection: string; message: Message }
  | { op: 'follow'; connection: string; uris: readonly string[] }
  | { op: 'answer'; connection: string; ask: string; result?: JsonObject; error?: RefusalLine }

interface RefusalLine {
  code: number | string
  message: string
  data?: unknown
  /** Of an `AggregatorError`. */
  remedy?: string
}

/** A line of the reply. */
export type DoorLine =
  | { result: JsonObject }
  | { error: RefusalLine }
  | { notification: Message }
  | { ask: string; message: Message }

/** Where the door of another replica is. */
export interface DoorAddress {
  url: string
  headers: Readonly<Record<string, string>>
}

const connectMs = 2_000

/** A connection to a server that another replica runs. @throws {Error} with the reason if it is not available */
export async function connectToReplica(
  door: DoorAddress,
  options: ConnectOptions,
): Promise<Connection> {
  const connection = crypto.randomUUID()
  const { promise: closed, resolve: end } = withResolvers<string>()
  const over = new AbortController()
  void closed.then((reason) => over.abort(new ConnectionLost(reason)))

  function request(
    body: DoorRequest,
    given: {
      signal?: AbortSignal | undefined
      onProgress?: ((progress: JsonObject) => void) | undefined
    } = {},
  ) {
    const { signal = over.signal, onProgress } = given
    return converse(door, body, AbortSignal.any([signal, over.signal]), (line) => {
      if ('notification' in line) {
        const { method, params: { progressToken: _, ...progress } = {} } = line.notification
        if (method === 'notifications/progress') onProgress?.(progress)
        else options.onNotification(line.notification)
      } else if ('ask' in line) void answer(line.ask, line.message, signal)
    })
  }

  async function answer(ask: string, message: Message, signal: AbortSignal): Promise<void> {
    const reply = await options.onAsk(message, signal).then(
      (result) => ({ result }),
      (error: Error) => ({ error: { code: -32603, message: error.message } }),
    )
    await request({ op: 'answer', connection, ask, ...reply }).catch(() => {})
  }

  const { server, capabilities, era } = options
  const opening = { op: 'open', unit: unitName(server), connection, capabilities, era } as const
  const opened = await request(opening, { signal: options.signal })
  // It ends with the replica, or with the server there.
  void request({ op: 'listen', connection }).then(
    (reason) => end(String(reason['reason'] ?? 'it ended')),
    (error: Error) => end(error.message),
  )
  return {
    era: opened['era'] as Era,
    capabilities: opened['capabilities'] as JsonObject,
    serverInfo: opened['serverInfo'] as JsonObject | undefined,
    instructions: opened['instructions'] as string | undefined,
    closed,
    request: (message, given = {}) => {
      const id = crypto.randomUUID()
      return request({ op: 'request', connection, id, message }, given)
    },
    notify: (message) => void request({ op: 'notify', connection, message }).catch(() => {}),
    async follow(uris) {
      await request({ op: 'follow', connection, uris })
    },
    async close() {
      await request({ op: 'close', connection }).catch(() => {})
      end('the connection was closed')
    },
  }
}

/** Sends a request, and passes on the lines of the reply until its result. */
async function converse(
  { url, headers }: DoorAddress,
  body: DoorRequest,
  signal: AbortSignal,
  onLine: (line: DoorLine) => void,
): Promise<JsonObject> {
  const { promise, resolve, reject } = withResolvers<JsonObject>()
  const outgoing = (url.startsWith('https:') ? sendSecurely : send)(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'localhost', ...headers },
    signal,
  })
  const late = setTimeout(() => outgoing.destroy(new Error('it does not answer')), connectMs)
  let isSent = false
  outgoing.once('socket', (socket) => {
    const connected = (): void => {
      isSent = true
      clearTimeout(late)
    }
    // A replica whose certificate is not trusted has got nothing.
    const event = url.startsWith('https:') ? 'secureConnect' : 'connect'
    if (socket.connecting) socket.once(event, connected)
    else connected()
  })
  const lost = (reason: string): void => reject(new ConnectionLost(reason, !isSent))
  outgoing.once('error', ({ message }) => {
    clearTimeout(late)
    if (signal.aborted) reject(signal.reason)
    else lost(`the replica that runs it cannot be reached: ${message}`)
  })
  outgoing.once('response', (incoming) => read(incoming, { resolve, reject, lost, onLine }))
  outgoing.end(JSON.stringify(body))
  return promise
}

interface Reading {
  resolve: (result: JsonObject) => void
  reject: (error: Error) => void
  lost: (reason: string) => void
  onLine: (line: DoorLine) => void
}

function read(incoming: IncomingMessage, { resolve, reject, lost, onLine }: Reading): void {
  if (incoming.statusCode !== 200) {
    incoming.resume()
    lost(`the replica that runs it answered ${incoming.statusCode}`)
    return
  }
  const onData = readLines({
    onLine(text) {
      const line = JSON.parse(text) as DoorLine
      if ('result' in line) resolve(line.result)
      else if ('error' in line) reject(errorOf(line.error))
      else onLine(line)
    },
    onTooLong: () => incoming.destroy(new Error('a line is too long')),
  })
  incoming.on('data', onData)
  // After the result this has no effect.
  incoming.once('close', () => lost('the replica that runs it ended'))
  incoming.once('error', () => {})
}

function errorOf({ code, message, data, remedy }: RefusalLine): Error {
  if (typeof code === 'number') return serverRpcError(code, message, data)
  return new AggregatorError(code as AggregatorErrorCode, message, remedy ?? '')
}

import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http'
import { request as sendSecurely } from 'node:https'
import { refusedHeader } from './envelope.ts'

/** Milliseconds to connect to another replica. */
const connectMs = 2_000
/** Milliseconds between signs of life of a replica: interim responses, then comments in a stream. */
export const beatMs = 1_000
/** Milliseconds without any after which it counts as one that hangs. */
const silentMs = 4_000
const lookEveryMs = 250

export const isEventStream = (type: unknown): boolean =>
  String(type).startsWith('text/event-stream')

interface Outgoing {
  request: IncomingMessage
  response: ServerResponse
  /** The parsed body, and its text as it is sent. */
  body: unknown
  text: string | undefined
  headers: OutgoingHttpHeaders
  /** Whether the other replica renews its lease. */
  isHeld: () => Promise<boolean>
}

/**
 * Sends a request to another replica, and its response to the client. Resolves to why not, if nothing
 * was done; a response that breaks off is broken off here, too. A replica that hangs, or that
 * nothing comes from any more, counts as one that has ended; the rest of a long answer may take its
 * time while its replica renews its lease.
 */
export function passOn(base: string, outgoing: Outgoing): Promise<string | undefined> {
  const { request, response, body, text, headers, isHeld } = outgoing
  const url = new URL(request.url ?? '/', base)
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve) => {
    // A connection of its own: one that was kept would not tell a replica that has ended from one that
    // got the request.
    const options = { method: request.method, headers, agent: false }
    const sent = (isSecure ? sendSecurely : send)(url, options)
    const late = setTimeout(() => sent.destroy(new Error('no connection')), connectMs)
    let isSent = false
    let isEvents = false
    let lastSignAt = performance.now()
    const noteSign = (): void => {
      lastSignAt = performance.now()
    }
    async function look(): Promise<void> {
      // A client that reads slowly holds up what arrives.
      if (response.writableNeedDrain) noteSign()
      if (performance.now() - lastSignAt < silentMs) return
      if (response.headersSent && !isEvents && (await isHeld())) return
      sent.destroy(new Error('silence'))
    }
    // After what has arrived is read: a busy process would take it for silence.
    const looking = setInterval(() => setImmediate(() => void look()), lookEveryMs)
    sent.once('socket', (socket) => {
      const connected = (): void => {
        isSent = true
        clearTimeout(late)
      }
      if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', connected)
      else connected()
    })
    sent.on('information', noteSign)
    sent.once('response', (incoming) => {
      noteSign()
      const refusal = incoming.headers[refusedHeader]
      if (refusal !== undefined) {
        incoming.resume()
        return resolve(String(refusal))
      }
      response.writeHead(incoming.statusCode ?? 502, incoming.headers)
      // Streams begin with their head; else it is sent together with the body.
      if (incoming.headers['content-length'] === undefined) response.flushHeaders()
      let end = '\n\n'
      incoming.on('data', (bytes: Buffer) => {
        noteSign()
        end = (end + bytes.toString('latin1', Math.max(0, bytes.length - 2))).slice(-2)
      })
      incoming.pipe(response)
      isEvents = isEventStream(incoming.headers['content-type'])
      incoming.once('error', () => {
        if (isEvents && end === '\n\n' && idOf(body) !== null)
          response.end(`event: message\ndata: ${errorText(body, lost)}\n\n`)
        else response.destroy()
      })
      resolve(undefined)
    })
    sent.on('error', ({ message }) => {
      clearTimeout(late)
      if (isSent && !response.headersSent) answerError(response, body, 200, lost)
      resolve(isSent ? undefined : message)
    })
    response.once('close', () => {
      clearInterval(looking)
      sent.destroy()
    })
    sent.once('close', () => clearInterval(looking))
    sent.end(text)
  })
}

interface RpcError {
  code: number
  message: string
  data?: object
}

const ended: RpcError = {
  code: -32602,
  message:
    'The replica that ran this request has ended, and with it what was waiting. The call may have had effects; call again only if it can be repeated.',
  data: { reason: 'invalid_request_state' },
}
const lost: RpcError = {
  code: -32603,
  message:
    'The replica that ran this request ended before it answered. The call may have had effects and was not repeated.',
}

/** A session ends with its replica: its client initialises again. */
export function answerGone(
  { headers }: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): void {
  if (headers['mcp-session-id'] === undefined) answerError(response, body, 200, ended)
  else answerError(response, body, 404, { code: -32001, message: 'Session not found' })
}

/** Where its replica is cannot be looked up now: a client that tries again keeps its session. */
export function answerLater(response: ServerResponse, body: unknown): void {
  response.setHeader('retry-after', '1')
  answerError(response, body, 503, {
    code: -32603,
    message: 'Redis did not answer. Nothing was done. Try again.',
  })
}

const idOf = (body: unknown): unknown => (Object(body) as { id?: unknown }).id ?? null
const errorText = (body: unknown, error: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id: idOf(body), error })

function answerError(
  response: ServerResponse,
  body: unknown,
  status: number,
  error: RpcError,
): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(errorText(body, error))
}

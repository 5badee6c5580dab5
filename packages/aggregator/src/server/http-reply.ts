import type { ServerResponse } from 'node:http'
import { type Message, messageText } from '#servers/protocol/message'
import { eventStream, json } from './accepted.ts'
import type { SessionEvents } from './event-store.ts'

/** Milliseconds between comments on a stream, so that proxies keep it open. */
const keepAliveMs = 15_000
/** Milliseconds until a client reconnects a broken stream. */
export const retryMs = 1_000

interface ReplyOptions {
  /** The client takes a stream of events. */
  takesStream: boolean
  /** The session of 2025, with what was sent to it: streams can be resumed. */
  session?: { id: string; events: SessionEvents; isPrimed: boolean } | undefined
}

/** The reply to one request: a JSON object, or a stream of events if something is sent before it. */
export class HttpReply {
  /** Of its stream. */
  readonly id: string = crypto.randomUUID()
  readonly #options: ReplyOptions
  /** Absent while the client is not connected. */
  #response: ServerResponse | undefined
  #isStream = false
  #keepAlive: NodeJS.Timeout | undefined

  constructor(response: ServerResponse, options: ReplyOptions) {
    this.#options = options
    this.#connect(response)
  }

  get takesStream(): boolean {
    return this.#options.takesStream
  }

  /** Calls back if the client disconnects before the reply. */
  onClose(callback: () => void): void {
    const response = this.#response
    response?.once('close', () => !response.writableEnded && callback())
  }

  /** Begins a stream, unless the client does not take one, or there is one. */
  open(): void {
    if (this.#isStream || !this.takesStream) return
    this.#isStream = true
    this.#writeHead()
    if (!this.#options.session?.isPrimed) return
    const { events } = this.#options.session
    // The client can reconnect from here.
    this.#response?.write(`id: ${events.store(this.id, '{}')}\nretry: ${retryMs}\ndata: \n\n`)
  }

  /** Sends a message before the reply. A client that takes no stream gets the reply only. */
  send(message: Message): void {
    this.open()
    if (this.#isStream) this.#writeEvent(messageText({ jsonrpc: '2.0', ...message } as never))
  }

  end(text: string, status = 200): void {
    if (this.#isStream) this.#writeEvent(text)
    else {
      const length = Buffer.byteLength(text)
      this.#response?.writeHead(
        status,
        this.#headers({ 'content-type': json, 'content-length': length }),
      )
      this.#response?.write(text)
    }
    this.close()
  }

  /** Goes on after an event, on another connection. */
  resume(response: ServerResponse, event: string): void {
    this.#response?.end()
    this.#connect(response)
    this.#writeHead()
    for (const { id, text } of this.#options.session?.events.after(event) ?? [])
      response.write(eventText(text, id))
  }

  /** Ends the connection, without a reply if there was none. */
  close(): void {
    clearInterval(this.#keepAlive)
    this.#response?.end()
    this.#response = undefined
  }

  #connect(response: ServerResponse): void {
    this.#response = response
    response.once('close', () => {
      if (this.#response !== response) return
      clearInterval(this.#keepAlive)
      this.#response = undefined
    })
  }

  #writeHead(): void {
    const response = this.#response
    const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }
    response?.writeHead(200, this.#headers({ 'content-type': eventStream, ...headers }))
    clearInterval(this.#keepAlive)
    this.#keepAlive = setInterval(() => response?.write(': keepalive\n\n'), keepAliveMs).unref()
  }

  #headers(own: Record<string, string | number>): Record<string, string | number> {
    const { session } = this.#options
    return session ? { ...own, 'mcp-session-id': session.id } : own
  }

  #writeEvent(text: string): void {
    const id = this.#options.session?.events.store(this.id, text)
    this.#response?.write(eventText(text, id))
  }
}

const eventText = (text: string, id: string | undefined): string =>
  `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`

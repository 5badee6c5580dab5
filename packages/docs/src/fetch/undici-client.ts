import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'
import type { Dispatcher } from 'undici'
import { DocsError } from '../protocol/docs-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import type { HttpOptions, HttpResponse, RequestOptions } from './http-client.ts'
import { toDocsError } from './http-errors.ts'
import { retry } from './retry.ts'
import { sendRequest } from './send-request.ts'
import { checkHost, createSsrfGuardedAgent } from './ssrf-guard.ts'

export class HttpClient {
  readonly #options: HttpOptions
  readonly #dispatcher: Dispatcher
  readonly #queues = new Map<string, PQueue>()
  readonly #closing = new AbortController()

  constructor(options: HttpOptions) {
    const { access, limits, proxy } = options
    this.#options = options
    this.#dispatcher = createSsrfGuardedAgent(access, limits.timeoutMs, proxy)
    // Any number of requests may wait in the queues.
    setMaxListeners(0, this.#closing.signal)
  }

  /**
   * GET a URL, or POST a query to it, within bounds of time, size and redirects. A transient failure
   * is retried after the delay that the server requests, so a query must not have side effects.
   *
   * @throws {DocsError} for every failure, and nothing else.
   */
  async request(url: string, options: RequestOptions = {}): Promise<HttpResponse> {
    const { access, limits, offline = false } = this.#options
    if (offline)
      throw new DocsError(
        'offline',
        `${quoteValue(url)} is not cached, and the network is off.`,
        'Search for a page that is cached, or allow the network in the settings.',
        { setting: 'offline' },
      )
    checkHost(url, access)
    const { timeoutMs, retries } = limits
    const closing = this.#closing.signal
    const signal = options.signal ? AbortSignal.any([options.signal, closing]) : closing
    const sender = { ...this.#options, dispatcher: this.#dispatcher }
    const send = (): Promise<HttpResponse> => {
      const deadline = performance.now() + timeoutMs
      const within = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal])
      return retry(() => sendRequest(sender, url, options, within), { retries, deadline, signal })
    }
    return this.#queueOf(new URL(url).host)
      .add(send, { signal })
      .catch((error: unknown) => {
        options.signal?.throwIfAborted()
        throw toDocsError(error, url, timeoutMs)
      })
  }

  async close(): Promise<void> {
    // Also rejects the requests that are still queued.
    this.#closing.abort()
    await this.#dispatcher.destroy()
  }

  #queueOf(host: string): PQueue {
    const { perHost, perSecond } = this.#options.limits
    const rate = { interval: 1_000, intervalCap: perSecond }
    const queue = this.#queues.get(host) ?? new PQueue({ concurrency: perHost, ...rate })
    this.#queues.set(host, queue)
    return queue
  }
}

import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'
import type { Dispatcher } from 'undici'
import { DocsError } from '../protocol/docs-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import type { GetOptions, HttpOptions, HttpResponse, PostBody } from './http-client.ts'
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
   * GET a URL within bounds of time, size and redirects. A transient failure is retried after the
   * delay that the server requests.
   *
   * @throws {DocsError} for every failure, and nothing else.
   */
  get(url: string, options: GetOptions = {}): Promise<HttpResponse> {
    return this.#request(url, options)
  }

  /**
   * POST a query within the same bounds. It may be sent several times, so use it only for requests
   * without side effects.
   */
  post(url: string, body: PostBody, options: GetOptions = {}): Promise<HttpResponse> {
    return this.#request(url, options, body)
  }

  async close(): Promise<void> {
    // Also rejects the requests that are still queued.
    this.#closing.abort()
    await this.#dispatcher.destroy()
  }

  async #request(url: string, options: GetOptions, body?: PostBody): Promise<HttpResponse> {
    const { access, limits, offline = false } = this.#options
    if (offline) throw isOffline(url)
    checkHost(url, access)
    const closing = this.#closing.signal
    const signal = options.signal ? AbortSignal.any([options.signal, closing]) : closing
    return this.#queueOf(new URL(url).host)
      .add(() => this.#send(url, options, body, signal), { signal })
      .catch((error: unknown) => {
        options.signal?.throwIfAborted()
        throw toDocsError(error, url, limits.timeoutMs)
      })
  }

  #queueOf(host: string): PQueue {
    const { perHost, perSecond } = this.#options.limits
    const rate = { interval: 1_000, intervalCap: perSecond }
    const queue = this.#queues.get(host) ?? new PQueue({ concurrency: perHost, ...rate })
    this.#queues.set(host, queue)
    return queue
  }

  #send(
    url: string,
    options: GetOptions,
    body: PostBody | undefined,
    callerSignal: AbortSignal,
  ): Promise<HttpResponse> {
    const { access, limits, headers = {}, userAgent = 'pith-docs' } = this.#options
    const sender = { dispatcher: this.#dispatcher, access, limits, headers, userAgent }
    const deadline = performance.now() + limits.timeoutMs
    const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), callerSignal])
    return retry(() => sendRequest(sender, { url, body, options }, signal), {
      retries: limits.retries,
      deadline,
      signal: callerSignal,
    })
  }
}

function isOffline(url: string): DocsError {
  const error = new DocsError(
    'offline',
    `${quoteValue(url)} is not cached, and the network is off.`,
    'Search for a page that is cached, or allow the network in the settings.',
  )
  error.setting = 'offline'
  return error
}

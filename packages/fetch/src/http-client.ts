import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'
import type { Dispatcher } from 'undici/index.js'
import { DocsError, quoteValue } from '#formats/docs-error'
import { type Access, hostKey } from './access.ts'
import type { CookieFile } from './cookie-file.ts'
import { isLoginStatus, statusError, toDocsError } from './http-errors.ts'
import { cookieOf, loginRemedy } from './named-cookies.ts'
import { acceptedEncodings, readBody } from './read-body.ts'
import { retry, waitMs } from './retry.ts'
import { checkHost, createSsrfGuardedAgent, type ProxyOptions } from './ssrf-guard.ts'

/** Bounds of one request, and of requests to one host. */
export interface FetchLimits {
  /** For the whole request, including redirects, retries and body. */
  timeoutMs: number
  /** Of the body, after decompression. */
  maxBytes: number
  maxRedirects: number
  /** Further attempts after a transient failure. */
  retries: number
  /** Concurrent requests to one host. */
  perHost: number
  /** Requests to one host per second. */
  perSecond: number
}

/** Request headers for one host only, by `host` or `host:port`. */
export type HostHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface HttpOptions {
  access: Access
  limits: FetchLimits
  proxy?: ProxyOptions | undefined
  headers?: HostHeaders | undefined
  /** Sent to hosts that the operator named. */
  cookies?: CookieFile | undefined
  /** No request is sent; every call fails with `offline`. */
  offline?: boolean | undefined
  /** `User-Agent` of requests. */
  userAgent?: string | undefined
}

export interface RequestOptions {
  /** JSON; makes it a POST request. */
  body?: string | undefined
  /** Media types, in the syntax of the `Accept` header. */
  accept?: string
  /** `If-None-Match` and `If-Modified-Since`, sent to this URL only. */
  conditions?: { url: string; headers: Record<string, string> } | undefined
  /** Replaces the limit for pages. */
  maxBytes?: number
  /** Replaces the time for pages. */
  timeoutMs?: number
  /** Sent to the host of the URL only. */
  headers?: Readonly<Record<string, string>>
  /** Aborts the request, also while it is queued. */
  signal?: AbortSignal | undefined
}

export interface HttpResponse {
  /** After redirects. */
  url: string
  /** 200–299, or 304 if conditions were sent. */
  status: number
  headers: Record<string, string>
  /** Headers that were sent, without cookies. */
  sent: Record<string, string>
  /** Without parameters, in lower case; empty if the server sends none. */
  type: string
  charset?: string
  bytes: Uint8Array
}

/** Headers that the operator configured for the host of a URL. */
export function headersFor(
  headers: HostHeaders,
  url: string,
): Readonly<Record<string, string>> | undefined {
  const place = new URL(url)
  return headers[place.host] ?? headers[hostKey(place)]
}

export class HttpClient {
  readonly #options: HttpOptions
  #dispatcher: Promise<Dispatcher> | undefined
  readonly #queues = new Map<string, PQueue>()
  readonly #closing = new AbortController()

  constructor(options: HttpOptions) {
    this.#options = options
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
    const { retries } = limits
    const { timeoutMs = limits.timeoutMs } = options
    const closing = this.#closing.signal
    const signal = options.signal ? AbortSignal.any([options.signal, closing]) : closing
    const send = async (): Promise<HttpResponse> => {
      this.#dispatcher ??= createSsrfGuardedAgent(access, limits.timeoutMs, this.#options.proxy)
      const sender = { ...this.#options, dispatcher: await this.#dispatcher }
      const deadline = performance.now() + timeoutMs
      // As `timeLimit`: Node 20 may collect an `AbortSignal.timeout` that only `any` refers to.
      const late = new AbortController()
      setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), timeoutMs).unref()
      const within = AbortSignal.any([late.signal, signal])
      return retry(() => sendRequest(sender, url, options, within), { retries, deadline, signal })
    }
    return this.#queueOf(new URL(url).host)
      .add(send, { signal })
      .catch((error: unknown) => {
        options.signal?.throwIfAborted()
        throw toDocsError(error, url, timeoutMs)
      })
  }

  /** What to do about a page that requires a login. */
  loginRemedy = (url: string): Promise<string> => loginRemedy(url, this.#options)

  async close(): Promise<void> {
    // Also rejects the requests that are still queued.
    this.#closing.abort()
    await (await this.#dispatcher)?.destroy()
  }

  #queueOf(host: string): PQueue {
    const { perHost, perSecond } = this.#options.limits
    const rate = { interval: 1_000, intervalCap: perSecond }
    const queue = this.#queues.get(host) ?? new PQueue({ concurrency: perHost, ...rate })
    this.#queues.set(host, queue)
    return queue
  }
}

const acceptPages =
  'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.9,application/xml;q=0.8,*/*;q=0.1'

/** Send a request and follow its redirects. */
async function sendRequest(
  sender: HttpOptions & { dispatcher: Dispatcher },
  first: string,
  { accept = acceptPages, conditions, headers, maxBytes, ...options }: RequestOptions,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { request } = await import('undici/index.js')
  const { dispatcher, access, limits, userAgent = 'pith-docs', headers: hostHeaders = {} } = sender
  let url = first
  let { body } = options
  for (let hops = 0; hops <= limits.maxRedirects; hops++) {
    checkHost(url, access)
    // Conditions are for one URL, headers for one host.
    const isConditional = conditions?.url === url
    const isSameHost = new URL(url).host === new URL(first).host
    const sent = {
      accept,
      'user-agent': userAgent,
      ...(isConditional && conditions.headers),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(isSameHost && headers),
      ...headersFor(hostHeaders, url),
    }
    const response = await request(url, {
      dispatcher,
      signal,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...sent,
        ...(await cookieOf(url, sent, sender)),
        'accept-encoding': acceptedEncodings,
      },
      body: body ?? null,
    })
    const { statusCode: status } = response
    const flat = flatHeaders(response.headers)
    const { location } = flat
    if (!redirectStatuses.has(status) || location === undefined) {
      if ((status < 200 || status > 299) && !(status === 304 && isConditional))
        throw statusError(status, url, {
          waitMs: waitMs(status, flat),
          reason: await reasonOf(response, url),
          ...(isLoginStatus(status) && { login: await loginRemedy(url, sender) }),
        })
      return readResponse(response, url, sent, maxBytes ?? limits.maxBytes)
    }
    await discard(response)
    const target = redirectTarget(location, url)
    if (body !== undefined && new URL(target).host !== new URL(url).host)
      // A query may contain a key of the service.
      throw new DocsError(
        'unreachable',
        `${quoteValue(url)} redirects the search to ${quoteValue(new URL(target).host)}, another host. Queries are not sent to other hosts.`,
        'If that host is right, configure its address in the settings.',
      )
    url = target
    // As in browsers: only 307 and 308 preserve the method and body.
    if (status !== 307 && status !== 308) body = undefined
  }
  throw new DocsError(
    'unreachable',
    `${quoteValue(first)} redirects more than ${limits.maxRedirects} times.`,
    'Check the URL in a browser, or search for the page.',
  )
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

async function readResponse(
  response: Dispatcher.ResponseData,
  url: string,
  sent: Record<string, string>,
  maxBytes: number,
): Promise<HttpResponse> {
  const headers = flatHeaders(response.headers)
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';')
  const charset = parameters.map((part) => /^\s*charset="?([^"\s]+)/i.exec(part)?.[1]).find(Boolean)
  const encoding = headers['content-encoding'] ?? ''
  return {
    url,
    status: response.statusCode,
    headers,
    sent,
    type: type.trim().toLowerCase(),
    ...(charset && { charset }),
    bytes: await readBody(response.body, encoding, url, maxBytes),
  }
}

function redirectTarget(location: string, base: string): string {
  if (URL.canParse(location, base)) {
    const target = new URL(location, base)
    const isWeb = target.protocol === 'http:' || target.protocol === 'https:'
    if (isWeb && target.username === '' && target.password === '') return target.href
  }
  throw new DocsError(
    'unreachable',
    `${quoteValue(base)} redirects to ${quoteValue(location.replace(/\/\/[^/@]*@/, '//…@'))}. Only http and https URLs without credentials are followed.`,
    'Check the URL, or search for the page.',
  )
}

/** Repeated headers are joined with a comma (RFC 9110, 5.3). */
const flatHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

/** Reads a short body to its end, so that the connection can be reused. */
const discard = ({ body }: Dispatcher.ResponseData): Promise<void> =>
  body.dump({ limit: 16_384 }).catch(() => {})

/** The reason in a JSON error response; undefined for HTML and other bodies. */
async function reasonOf(
  response: Dispatcher.ResponseData,
  url: string,
): Promise<string | undefined> {
  const headers = flatHeaders(response.headers)
  if (!/[/+]json\b/i.test(headers['content-type'] ?? '')) {
    await discard(response)
    return undefined
  }
  try {
    const encoding = headers['content-encoding'] ?? ''
    const bytes = await readBody(response.body, encoding, url, 4_096)
    const body: unknown = JSON.parse(Buffer.from(bytes).toString())
    const { message, error, detail } = (body ?? {}) as Record<string, unknown>
    const [reason] = [message, error, detail].filter((text) => typeof text === 'string')
    return reason
  } catch {
    return undefined
  }
}

import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'
import { type Dispatcher, request } from 'undici'
import { DocsError } from '../protocol/docs-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import { type Access, hostKey } from './access.ts'
import { statusError, toDocsError } from './http-errors.ts'
import { acceptedEncodings, readBody } from './read-body.ts'
import { retry } from './retry.ts'
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
  /** No request is sent; every call fails with `offline`. */
  offline?: boolean | undefined
  /** `User-Agent` of requests. */
  userAgent?: string | undefined
}

interface GetOptions {
  /** Media types, in the syntax of the `Accept` header. */
  accept?: string
  /** `If-None-Match` and `If-Modified-Since`, sent to this URL only. */
  conditions?: { url: string; headers: Record<string, string> } | undefined
  /** Replaces the limit for pages. */
  maxBytes?: number
  /** Sent to the host of the URL only. */
  headers?: Readonly<Record<string, string>>
  /** Aborts the request, also while it is queued. */
  signal?: AbortSignal | undefined
}

/** Body of a POST request. */
interface Body {
  type: string
  text: string
}

export interface HttpResponse {
  /** After redirects. */
  url: string
  /** 200–299, or 304 if conditions were sent. */
  status: number
  headers: Record<string, string>
  /** Headers that were sent. */
  sent: Record<string, string>
  /** Without parameters, in lower case; empty if the server sends none. */
  type: string
  charset?: string
  bytes: Uint8Array
}

export interface HttpClient {
  /**
   * GET a URL within bounds of time, size and redirects. A transient failure is retried after the
   * delay that the server requests.
   *
   * @throws {DocsError} for every failure, and nothing else.
   */
  get(url: string, options?: GetOptions): Promise<HttpResponse>
  /**
   * POST a query within the same bounds. It may be sent several times, so use it only for requests
   * without side effects.
   */
  post(url: string, body: Body, options?: GetOptions): Promise<HttpResponse>
  close(): Promise<void>
}

const acceptPages =
  'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.9,application/xml;q=0.8,*/*;q=0.1'

export function createHttpClient(options: HttpOptions): HttpClient {
  const { access, limits, headers: hostHeaders = {}, offline = false } = options
  const { userAgent = 'pith-docs' } = options
  const dispatcher = createSsrfGuardedAgent(access, limits.timeoutMs, options.proxy)
  const queues = new Map<string, PQueue>()
  const closing = new AbortController()
  // Any number of requests may wait in the queues.
  setMaxListeners(0, closing.signal)

  return {
    get: (url, getOptions = {}) => ask(url, getOptions),
    post: (url, body, getOptions = {}) => ask(url, getOptions, body),
    async close() {
      // Also rejects the requests that are still queued.
      closing.abort()
      await dispatcher.destroy()
    },
  }

  async function ask(url: string, getOptions: GetOptions, body?: Body): Promise<HttpResponse> {
    if (offline) throw isOffline(url)
    checkHost(url, access)
    const callerSignal = getOptions.signal
    const signal = callerSignal ? AbortSignal.any([callerSignal, closing.signal]) : closing.signal
    return queueOf(new URL(url).host)
      .add(() => askWithin(url, getOptions, body, signal), { signal })
      .catch((error: unknown) => {
        callerSignal?.throwIfAborted()
        throw toDocsError(error, url, limits.timeoutMs)
      })
  }

  function queueOf(host: string): PQueue {
    const { perHost, perSecond } = limits
    const rate = { interval: 1_000, intervalCap: perSecond }
    const queue = queues.get(host) ?? new PQueue({ concurrency: perHost, ...rate })
    queues.set(host, queue)
    return queue
  }

  async function askWithin(
    url: string,
    getOptions: GetOptions,
    body: Body | undefined,
    callerSignal: AbortSignal,
  ): Promise<HttpResponse> {
    const deadline = performance.now() + limits.timeoutMs
    const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), callerSignal])
    return retry(() => follow(url, getOptions, body, signal), {
      retries: limits.retries,
      deadline,
      signal: callerSignal,
    })
  }

  async function follow(
    first: string,
    { accept = acceptPages, conditions, maxBytes = limits.maxBytes, headers = {} }: GetOptions,
    posted: Body | undefined,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    let url = first
    let body = posted
    for (let hops = 0; hops <= limits.maxRedirects; hops++) {
      checkHost(url, access)
      const conditional = conditions?.url === url ? conditions.headers : {}
      const sent: Record<string, string> = {
        accept,
        'user-agent': userAgent,
        ...conditional,
        ...(body && { 'content-type': body.type }),
        ...(new URL(url).host === new URL(first).host && headers),
        ...headersFor(hostHeaders, url),
      }
      const response = await request(url, {
        dispatcher,
        signal,
        method: body ? 'POST' : 'GET',
        headers: { ...sent, 'accept-encoding': acceptedEncodings },
        ...(body && { body: body.text }),
      })
      const { statusCode: status } = response
      const headersOf = flatHeaders(response.headers)
      const next = headersOf['location']
      if ([301, 302, 303, 307, 308].includes(status) && next !== undefined) {
        await discard(response)
        const target = redirectTarget(next, url)
        if (body && new URL(target).host !== new URL(url).host) throw asksOtherHost(url, target)
        url = target
        // As in browsers: only 307 and 308 preserve the method and body.
        if (status !== 307 && status !== 308) body = undefined
        continue
      }
      const isUnchanged =
        status === 304 && ('if-none-match' in conditional || 'if-modified-since' in conditional)
      if ((status < 200 || status > 299) && !isUnchanged) {
        const reason = await reasonOf(response, url)
        throw statusError(status, url, headersOf['retry-after'] ?? null, reason)
      }
      const [type = '', ...parameters] = (headersOf['content-type'] ?? '').split(';')
      const charset = parameters
        .map((part) => /^\s*charset="?([^"\s]+)/i.exec(part)?.[1])
        .find(Boolean)
      const encoding = headersOf['content-encoding'] ?? ''
      return {
        url,
        status,
        headers: headersOf,
        sent,
        type: type.trim().toLowerCase(),
        ...(charset && { charset }),
        bytes: await readBody(response.body, encoding, url, maxBytes),
      }
    }
    throw new DocsError(
      'unreachable',
      `${quoteValue(first)} redirects more than ${limits.maxRedirects} times.`,
      'Check the URL in a browser, or search for the page.',
    )
  }
}

/** Headers that the operator configured for the host of a URL. */
export function headersFor(
  headers: HostHeaders,
  url: string,
): Readonly<Record<string, string>> | undefined {
  const { host, hostname, port, protocol } = new URL(url)
  return headers[host] ?? headers[hostKey(hostname, port, protocol)]
}

/** A query may contain a key of the service; it is not sent to another host. */
function asksOtherHost(url: string, target: string): DocsError {
  return new DocsError(
    'unreachable',
    `${quoteValue(url)} redirects the search to ${quoteValue(new URL(target).host)}, another host. Queries are not sent to other hosts.`,
    'If that host is right, configure its address in the settings.',
  )
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

function isOffline(url: string): DocsError {
  const error = new DocsError(
    'offline',
    `${quoteValue(url)} is not cached, and the network is off.`,
    'Search for a page that is cached, or allow the network in the settings.',
  )
  error.setting = 'offline'
  return error
}

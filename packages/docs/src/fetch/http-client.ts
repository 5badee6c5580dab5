import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import { type Dispatcher, request } from 'undici'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import { type Access, hostKey } from './access.ts'
import { checkHost, createGuardedAgent, type ProxyOptions } from './guarded-agent.ts'
import { isPassing, statusError, toDocsError } from './http-errors.ts'
import { acceptedEncodings, readBody } from './read-body.ts'

export interface FetchLimits {
  /** For the whole exchange, redirects, retries and body included. */
  timeoutMs: number
  /** Of the body after decompression. */
  maxBytes: number
  maxRedirects: number
  /** Tries after a first one that failed for a reason that may pass. */
  retries: number
  /** Requests to one host at once. */
  perHost: number
  /** Requests to one host in a second. */
  perSecond: number
}

/** Headers for requests to one host and no other, by `host` or `host:port`. */
export type HostHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface HttpOptions {
  access: Access
  limits: FetchLimits
  proxy?: ProxyOptions | undefined
  headers?: HostHeaders | undefined
  /** Nothing is fetched. */
  offline?: boolean | undefined
  /** How requests name who asks. */
  userAgent?: string | undefined
}

interface GetOptions {
  /** Media types, as in the header. */
  accept?: string
  /** `If-None-Match` and `If-Modified-Since`, for the URL they were given for and no other. */
  conditions?: { url: string; headers: Record<string, string> } | undefined
  /** Instead of the limit for pages. */
  maxBytes?: number
  /** For the host of the URL and no other. */
  headers?: Readonly<Record<string, string>>
  /** Gives up waiting, and the exchange. */
  signal?: AbortSignal | undefined
}

/** What is sent with POST. */
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
  /** Without parameters, lower case; empty when the server names none. */
  type: string
  charset?: string
  bytes: Uint8Array
}

export interface HttpClient {
  /**
   * GET a URL, within bounds of time, size and redirects; a try that failed for a reason that may
   * pass is repeated, after the time the server asks for.
   *
   * @throws {DocsError} for every failure; nothing else.
   */
  get(url: string, options?: GetOptions): Promise<HttpResponse>
  /** Ask by POST, within the same bounds. It may be repeated: only for what changes nothing. */
  post(url: string, body: Body, options?: GetOptions): Promise<HttpResponse>
  close(): Promise<void>
}

const acceptPages =
  'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.9,application/xml;q=0.8,*/*;q=0.1'

export function createHttpClient(options: HttpOptions): HttpClient {
  const { access, limits, headers: hostHeaders = {}, offline = false } = options
  const { userAgent = 'pith-docs' } = options
  const dispatcher = createGuardedAgent(access, limits.timeoutMs, options.proxy)
  const queues = new Map<string, PQueue>()
  const closing = new AbortController()
  // Any number of requests may be waiting.
  setMaxListeners(0, closing.signal)

  return {
    get: (url, getOptions = {}) => ask(url, getOptions),
    post: (url, body, getOptions = {}) => ask(url, getOptions, body),
    async close() {
      // Those that wait for their turn are told, too.
      closing.abort()
      await dispatcher.destroy()
    },
  }

  async function ask(url: string, getOptions: GetOptions, body?: Body): Promise<HttpResponse> {
    if (offline) throw isOffline(url)
    checkHost(url, access)
    const given = getOptions.signal
    const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal
    return queueOf(new URL(url).host)
      .add(() => askWithin(url, getOptions, body, signal), { signal })
      .catch((error: unknown) => {
        given?.throwIfAborted()
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
    given: AbortSignal,
  ): Promise<HttpResponse> {
    const until = performance.now() + limits.timeoutMs
    const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), given])
    for (let tries = 0; ; tries++) {
      try {
        return await follow(url, getOptions, body, signal)
      } catch (error) {
        const wait = isPassing(error) ? waitOf(error, tries) : Number.POSITIVE_INFINITY
        if (tries >= limits.retries || performance.now() + wait >= until)
          throw toDocsError(error, url, limits.timeoutMs)
        await sleep(wait, undefined, { signal: given })
      }
    }
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
        if (body && new URL(target).host !== new URL(url).host) throw askedElsewhere(url, target)
        url = target
        // As browsers do: only these two keep what was sent.
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

/** What the operator gave for the host of a URL. */
export function headersFor(
  headers: HostHeaders,
  url: string,
): Readonly<Record<string, string>> | undefined {
  const { host, hostname, port, protocol } = new URL(url)
  return headers[host] ?? headers[hostKey(hostname, port, protocol)]
}

/** What the server asks for, else longer with each try, and never the same for all. */
function waitOf(error: unknown, tries: number): number {
  const asked = error instanceof DocsError ? error.retryAfterMs : undefined
  return asked ?? 250 * 2 ** tries * (0.75 + Math.random() / 2)
}

/** A question is for the one it was put to. */
function askedElsewhere(url: string, target: string): DocsError {
  return new DocsError(
    'unreachable',
    `${quoteValue(url)} sends the question on to ${quoteValue(new URL(target).host)}, which is not asked.`,
    'Give that address in the settings, if it is right.',
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
    `${quoteValue(base)} redirects to ${quoteValue(location.replace(/\/\/[^/@]*@/, '//…@'))}, which cannot be followed.`,
    'Check the URL, or search for the page.',
  )
}

/** Headers that came several times are joined, as HTTP has it. */
const flatHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

/** A body that nobody reads gives its connection back, if it is short. */
const discard = ({ body }: Dispatcher.ResponseData): Promise<void> =>
  body.dump({ limit: 16_384 }).catch(() => {})

/** Why a service refuses, where it says so: interfaces answer with JSON, pages do not. */
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
    const said: unknown = JSON.parse(Buffer.from(bytes).toString())
    const { message, error, detail } = (said ?? {}) as Record<string, unknown>
    const [reason] = [message, error, detail].filter((text) => typeof text === 'string')
    return reason
  } catch {
    return undefined
  }
}

function isOffline(url: string): DocsError {
  return new DocsError(
    'offline',
    `${quoteValue(url)} is not among the pages kept, and the server was started with --offline.`,
    'Search for a page that is kept, or start the server without --offline.',
  )
}

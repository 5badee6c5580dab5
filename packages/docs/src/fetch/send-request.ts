import { type Dispatcher, request } from 'undici'
import { DocsError } from '../protocol/docs-error.ts'
import { quoteValue } from '../protocol/quote-value.ts'
import {
  type HttpOptions,
  type HttpResponse,
  headersFor,
  type RequestOptions,
} from './http-client.ts'
import { statusError } from './http-errors.ts'
import { acceptedEncodings, readBody } from './read-body.ts'
import { checkHost } from './ssrf-guard.ts'

const acceptPages =
  'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.9,application/xml;q=0.8,*/*;q=0.1'

/** Send a request and follow its redirects. */
export async function sendRequest(
  sender: HttpOptions & { dispatcher: Dispatcher },
  first: string,
  { accept = acceptPages, conditions, headers, maxBytes, ...options }: RequestOptions,
  signal: AbortSignal,
): Promise<HttpResponse> {
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
      headers: { ...sent, 'accept-encoding': acceptedEncodings },
      body: body ?? null,
    })
    const { statusCode: status } = response
    const { location, 'retry-after': retryAfter = null } = flatHeaders(response.headers)
    if (!redirectStatuses.has(status) || location === undefined) {
      if ((status < 200 || status > 299) && !(status === 304 && isConditional))
        throw statusError(status, url, retryAfter, await reasonOf(response, url))
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

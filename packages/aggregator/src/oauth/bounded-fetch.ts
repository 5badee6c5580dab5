import { isIP } from 'node:net'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface BoundedFetchOptions {
  /** The server it is for: one on a private host without TLS may have such an authorization server. */
  serverUrl: string
  fetch?: Fetch | undefined
  timeoutMs?: number | undefined
}

const mostBytes = 256 * 1024

/**
 * For what passes with authorization servers: none of the headers of the server, no address
 * without TLS, no answer without end. Redirects are left to the caller.
 */
export function createBoundedFetch(options: BoundedFetchOptions): Fetch {
  const { serverUrl, fetch = globalThis.fetch, timeoutMs = 15_000 } = options
  return async (given, init) => {
    const url = safeAddress(given, serverUrl)
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    try {
      const request = { ...init, redirect: init?.redirect ?? 'manual', signal } as const
      const response = await fetch(url, request)
      const { status, headers } = response
      const body = await bodyOf(response)
      return new Response(body.length > 0 ? body : null, { status, headers })
    } catch (error) {
      if (init?.signal?.aborted) throw error
      throw new Error(`${url.origin} ${whyOf(error, timeout, timeoutMs)}`, { cause: error })
    }
  }
}

/** @throws for an address that must not be asked, nor opened in a browser */
export function safeAddress(given: string | URL, serverUrl: string): URL {
  const url = new URL(given)
  const server = new URL(serverUrl)
  const isSafe =
    isPrivate(url.hostname) || isLoopback(url.hostname)
      ? isPrivate(server.hostname) || isLoopback(server.hostname)
      : url.protocol === 'https:'
  if (!isSafe)
    throw new Error(
      `${url.protocol}//${url.host} is no address to sign in at: it is not https, or belongs to a private network`,
    )
  return url
}

async function bodyOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > mostBytes) throw new Error(`says more than ${mostBytes / 1024} kB`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function whyOf(error: unknown, timeout: AbortSignal, timeoutMs: number): string {
  if (timeout.aborted) return `did not answer within ${timeoutMs / 1000} s`
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  if (!(error instanceof TypeError)) return message
  return `cannot be reached (${cause?.code ?? cause?.message ?? message})`
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** By its name or number; nothing is looked up. */
const isPrivate = (host: string): boolean =>
  isLoopback(host) ||
  (isIP(host) === 4
    ? /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(host)
    : /^\[f[cd]/.test(host) || /\.(?:local|internal|lan|home\.arpa)$/.test(host))

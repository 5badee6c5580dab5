import { isIP } from 'node:net'
import {
  type AddressKind,
  AddressRefused,
  addressKind,
  bareHost,
  hostKind,
  pinnedLookup,
  type Resolve,
  resolveAllowed,
  resolveBySystem,
} from '@pith-mcp/ssrf-guard'
import { raceAbort, timeLimit } from '#base/race-abort'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Connects to one of the checked addresses and to no other. */
type PinnedFetch = (
  url: URL,
  init: RequestInit & { redirect: 'manual' | 'error' | 'follow' },
  addresses: readonly string[],
) => Promise<Response>

export interface BoundedFetchOptions {
  /**
   * The MCP server: one on this machine or in a private network may use an authorization server
   * there.
   */
  serverUrl: string
  fetch?: PinnedFetch | undefined
  resolve?: Resolve | undefined
  timeoutMs?: number | undefined
  /** Of a response. Default 256 kB. */
  maxBytes?: number | undefined
}

/**
 * Fetch for authorization servers and registries: it sends none of the MCP server's headers, requires TLS,
 * connects to allowed addresses only (SSRF) and limits the response. Host names are resolved once,
 * checked, and connected to at the checked addresses. Redirects are left to the caller.
 */
export function createBoundedFetch(options: BoundedFetchOptions): Fetch {
  const { fetch = fetchPinned, resolve = resolveBySystem } = options
  const { timeoutMs = 15_000, maxBytes = 256 * 1024 } = options
  const kind = serverKindOf(options.serverUrl, resolve)
  return async (input, init) => {
    const timeout = timeLimit(timeoutMs)
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const url = new URL(input)
    try {
      const serverKind = await raceAbort(kind(), signal)
      safeAddress(url, serverKind)
      const addresses = await raceAbort(addressesOf(url, serverKind, resolve), signal)
      const request = { ...init, redirect: init?.redirect ?? 'manual', signal } as const
      const response = await fetch(url, request, addresses)
      const body = await bodyOf(response, maxBytes)
      const { status } = response
      return new Response(body.length > 0 ? body : null, {
        status,
        headers: [...response.headers],
      })
    } catch (error) {
      if (init?.signal?.aborted) throw error
      if (error instanceof AddressRefused) throw unsafe(url)
      if (error instanceof UnsafeAddress) throw error
      throw new Error(`${url.origin} ${whyOf(error, timeout, timeoutMs)}`, { cause: error })
    }
  }
}

/**
 * The kind of the server's network, determined once: a second resolution could differ. A host with
 * addresses of several kinds counts as public. Rejects while the name cannot be resolved.
 */
export function serverKindOf(
  serverUrl: string,
  resolve: Resolve = resolveBySystem,
): () => Promise<AddressKind> {
  const { hostname } = new URL(serverUrl)
  let kind: Promise<AddressKind> | undefined
  return () => {
    kind ??= find().catch((error: unknown) => {
      kind = undefined
      throw error
    })
    return kind
  }

  async function find(): Promise<AddressKind> {
    const nameKind = hostKind(hostname)
    if (nameKind !== undefined && (nameKind !== 'private' || isAddress(hostname))) return nameKind
    // Names of a private network may resolve to this machine.
    const addresses = await resolve(bareHost(hostname))
    const [first = 'public', ...rest] = new Set(addresses.map(addressKind))
    return rest.length === 0 ? first : 'public'
  }
}

/**
 * Checks a URL before its host is resolved.
 * @throws {UnsafeAddress} if it must not be requested, or opened in a browser
 */
export function safeAddress(address: string | URL, serverKind: AddressKind): URL {
  const url = new URL(address)
  const kind = hostKind(url.hostname)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const isInside = kind === 'loopback' || kind === 'private'
  // Whether a name is loopback or private is known only from its addresses.
  const fits = isAddress(url.hostname) ? kind === serverKind : isOwnNetwork(serverKind)
  const isSafe = isWeb && kind !== 'forbidden' && (isInside ? fits : url.protocol === 'https:')
  if (!isSafe) throw unsafe(url)
  return url
}

const isOwnNetwork = (kind: AddressKind): boolean => kind === 'loopback' || kind === 'private'
const isAddress = (host: string): boolean => isIP(bareHost(host)) !== 0

class UnsafeAddress extends Error {
  override readonly name = 'UnsafeAddress'
}

/** @throws {AddressRefused} */
function addressesOf(
  { hostname }: URL,
  serverKind: AddressKind,
  resolve: Resolve,
): Promise<readonly string[]> {
  // A private name that resolves to a public address is not trusted: it would be used without TLS.
  const kind = hostKind(hostname)
  const requiresPublic = kind === undefined || kind === 'public'
  const isInside = isOwnNetwork(serverKind)
  const isAllowed = (address: string): boolean => {
    const kind = addressKind(address)
    return kind === 'public' ? requiresPublic : isInside && kind === serverKind
  }
  return resolveAllowed(hostname, isAllowed, resolve)
}

const unsafe = (url: URL): UnsafeAddress =>
  new UnsafeAddress(
    `${url.protocol}//${url.host} is not an allowed address: it is not https, or it belongs to a private network that the server is not in`,
  )

/** Loaded at the first sign-in: most servers need none. */
const fetchPinned: PinnedFetch = async (url, init, addresses) => {
  const { Agent, fetch } = await import('undici/index.js')
  const dispatcher = new Agent({ connect: { lookup: pinnedLookup(addresses) }, pipelining: 0 })
  try {
    const options = { ...init, dispatcher } as Parameters<typeof fetch>[1]
    return (await fetch(url, options)) as unknown as Response
  } finally {
    // Once the response has been read.
    void dispatcher.close()
  }
}

async function bodyOf({ body }: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`sent more than ${Math.round(maxBytes / 1024)} kB`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function whyOf(error: unknown, timeout: AbortSignal, timeoutMs: number): string {
  if (timeout.aborted) return `did not answer within ${timeoutMs / 1000} s`
  const { message, cause, code } = error as Error & {
    code?: string
    cause?: { code?: string; message?: string }
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `cannot be reached (${code})`
  if (!(error instanceof TypeError)) return message
  return `cannot be reached (${cause?.code ?? cause?.message ?? message})`
}

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
import { untilAborted } from '../connection/until-aborted.ts'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Dials one of the addresses that were judged, and no other. */
type PinnedFetch = (
  url: URL,
  init: RequestInit & { redirect: 'manual' | 'error' | 'follow' },
  addresses: readonly string[],
) => Promise<Response>

export interface BoundedFetchOptions {
  /** The server it is for: one in a private network, or on this machine, may have such an authorization server. */
  serverUrl: string
  fetch?: PinnedFetch | undefined
  resolve?: Resolve | undefined
  timeoutMs?: number | undefined
}

const mostBytes = 256 * 1024

/**
 * For what passes with authorization servers: none of the headers of the server, no address
 * without TLS, none that leads inside (SSRF), no answer without end. What a name resolves to is
 * judged, and dialled. Redirects are left to the caller.
 */
export function createBoundedFetch(options: BoundedFetchOptions): Fetch {
  const { fetch = fetchPinned, resolve = resolveBySystem, timeoutMs = 15_000 } = options
  const kind = serverKindOf(options.serverUrl, resolve)
  return async (given, init) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const url = new URL(given)
    try {
      const serverKind = await untilAborted(kind(), signal)
      safeAddress(url, serverKind)
      const addresses = await untilAborted(addressesOf(url, serverKind, resolve), signal)
      const request = { ...init, redirect: init?.redirect ?? 'manual', signal } as const
      const response = await fetch(url, request, addresses)
      const { status, headers } = response
      const body = await bodyOf(response)
      return new Response(body.length > 0 ? body : null, { status, headers })
    } catch (error) {
      if (init?.signal?.aborted) throw error
      if (error instanceof AddressRefused) throw unsafe(url)
      if (error instanceof UnsafeAddress) throw error
      throw new Error(`${url.origin} ${whyOf(error, timeout, timeoutMs)}`, { cause: error })
    }
  }
}

/**
 * Of what kind the network of a server is, found out once: a name that is resolved again could say
 * otherwise. One that has addresses of several kinds counts as public. Rejects while its name cannot
 * be resolved.
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
    const known = hostKind(hostname)
    if (known !== undefined && (known !== 'private' || isAddress(hostname))) return known
    // Names of a private network may well stand for this machine.
    const addresses = await resolve(bareHost(hostname))
    const [first = 'public', ...others] = new Set(addresses.map(addressKind))
    return others.length === 0 ? first : 'public'
  }
}

/**
 * What can be said of an address before it is resolved.
 * @throws {UnsafeAddress} for one that must not be asked, nor opened in a browser
 */
export function safeAddress(given: string | URL, serverKind: AddressKind): URL {
  const url = new URL(given)
  const kind = hostKind(url.hostname)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const isInside = kind === 'loopback' || kind === 'private'
  // Of a name only its addresses tell which of the two it is.
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
  // A name of a private network that leads outside is nobody's, and is asked without TLS.
  const named = hostKind(hostname)
  const isPublicWanted = named === undefined || named === 'public'
  const isInside = isOwnNetwork(serverKind)
  const isAllowed = (address: string): boolean => {
    const kind = addressKind(address)
    return kind === 'public' ? isPublicWanted : isInside && kind === serverKind
  }
  return resolveAllowed(hostname, isAllowed, resolve)
}

const unsafe = (url: URL): UnsafeAddress =>
  new UnsafeAddress(
    `${url.protocol}//${url.host} is no address to sign in at: it is not https, or belongs to a private network that the server is not in`,
  )

/** Loaded with the first sign-in: most servers need none. */
const fetchPinned: PinnedFetch = async (url, init, addresses) => {
  const { Agent, fetch } = await import('undici')
  const dispatcher = new Agent({ connect: { lookup: pinnedLookup(addresses) }, pipelining: 0 })
  try {
    const given = { ...init, dispatcher } as Parameters<typeof fetch>[1]
    const response = (await fetch(url, given)) as unknown as Response
    const body = await bodyOf(response)
    const { status } = response
    return new Response(body.length > 0 ? body : null, { status, headers: [...response.headers] })
  } finally {
    void dispatcher.destroy()
  }
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
  const { message, cause, code } = error as Error & {
    code?: string
    cause?: { code?: string; message?: string }
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `cannot be reached (${code})`
  if (!(error instanceof TypeError)) return message
  return `cannot be reached (${cause?.code ?? cause?.message ?? message})`
}

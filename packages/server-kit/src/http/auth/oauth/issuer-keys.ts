import type { JWTVerifyGetKey } from 'jose'
import { RejectedError } from '../../rejections/rejections.ts'

interface IssuerKeysOptions {
  issuer: string
  /** Default: from the issuer's metadata. */
  jwksUri: string | undefined
  fetch: typeof globalThis.fetch
  /** Called with the reason when keys cannot be fetched; once until they can be again. */
  onLog: (text: string) => void
}

const cacheMs = 600_000
/** An unknown key id may mean new keys: they are fetched again at most at this interval. */
const cooldownMs = 30_000
const retryAfterMs = 5_000

/** The keys of an issuer: fetched on demand, shared by concurrent requests, and cached. */
export function createIssuerKeys(options: IssuerKeysOptions): () => Promise<JWTVerifyGetKey> {
  const { issuer, fetch, onLog } = options
  let keys: Promise<JWTVerifyGetKey> | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  let isTold = false

  async function asking<T>(ask: () => Promise<T>): Promise<T> {
    if (performance.now() - failedAt < retryAfterMs) throw unreachable()
    try {
      const answer = await ask()
      isTold = false
      return answer
    } catch (error) {
      failedAt = performance.now()
      if (!isTold) onLog(`The keys of ${issuer} cannot be fetched: ${causeOf(error)}.`)
      isTold = true
      throw unreachable()
    }
  }

  async function open(): Promise<JWTVerifyGetKey> {
    const uri = options.jwksUri ?? (await asking(() => findJwksUri(issuer, fetch)))
    const { createRemoteJWKSet, customFetch } = await import('jose')
    return createRemoteJWKSet(new URL(uri), {
      cacheMaxAge: cacheMs,
      cooldownDuration: cooldownMs,
      [customFetch]: async (url: string) => Response.json(await asking(() => readKeys(url, fetch))),
    })
  }

  return () => {
    keys ??= open().catch((error: unknown) => {
      keys = undefined
      throw error
    })
    return keys
  }
}

async function readKeys(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<Record<string, unknown>> {
  const keySet = await readJson(url, fetch)
  if (!Array.isArray(keySet['keys'])) throw new Error(`${url} answered without keys`)
  return keySet
}

/** RFC 8414, or OpenID Connect Discovery. */
async function findJwksUri(issuer: string, fetch: typeof globalThis.fetch): Promise<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  let failure: unknown
  for (const place of places) {
    try {
      const metadata = await readJson(place, fetch)
      if (metadata['issuer'] !== issuer) throw new Error(`${place} names another issuer`)
      const { jwks_uri: uri } = metadata
      if (typeof uri !== 'string' || !isSafeUrl(uri))
        throw new Error(`${place} has no valid jwks_uri`)
      return uri
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** True for https, and for http on this machine. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username !== '' || password !== '' || hash !== '') return false
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  const inner = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? '') : ''
  return `${message}${inner && ` (${inner})`}`.split('\n', 1)[0]?.slice(0, 300) ?? ''
}

const unreachable = (): RejectedError =>
  new RejectedError(
    'keys_unreachable',
    503,
    'Tokens cannot be verified at the moment. Try again in a few seconds.',
    {
      headers: { 'retry-after': String(retryAfterMs / 1_000) },
    },
  )

const maxJsonBytes = 1024 * 1024
const jsonTimeoutMs = 5_000

/** Fetches JSON of an authorization server, within 5 s and 1 MB, without redirects. */
async function readJson(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(jsonTimeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} answered with status ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxJsonBytes)
      throw new Error(`${url} answered with more than ${maxJsonBytes} bytes`)
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (typeof value !== 'object' || value === null)
    throw new Error(`${url} answered without a JSON object`)
  return value as Record<string, unknown>
}

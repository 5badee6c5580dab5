import { setTimeout as sleep } from 'node:timers/promises'
import { DocsError } from '#formats/docs-error'

interface RetryOptions {
  retries: number
  /** In the time of `performance.now()`; no attempt starts after it. */
  deadline: number
  signal: AbortSignal
}

/** Milliseconds before the first retry, doubled for each further one, with a jitter of ±25 %. */
const firstDelayMs = 250

/**
 * Retry an attempt that failed for a transient reason, after the time that `Retry-After` names or
 * else with exponential backoff. Rejects with the last error.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  { retries, deadline, signal }: RetryOptions,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      const requested = error instanceof DocsError ? error.retryAfterMs : undefined
      const backoff = firstDelayMs * 2 ** tries * (0.75 + Math.random() / 2)
      const delay = isTransient(error) ? (requested ?? backoff) : Number.POSITIVE_INFINITY
      if (tries >= retries || performance.now() + delay >= deadline) throw error
      await sleep(delay, undefined, { signal })
    }
  }
}

/** Too many requests, bad gateway, unavailable, gateway timeout. */
const transientStatuses = new Set([429, 502, 503, 504])

const isTransientStatus = (status: number): boolean => transientStatuses.has(status)

/** Milliseconds of a `Retry-After` header (RFC 9110, 10.2.3): seconds or a date. */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/**
 * Milliseconds until a limit of requests ends: by `Retry-After`, or by the time in seconds since 1970
 * at which GitHub and others reset a count that is used up. Undefined for other failures.
 */
export function waitMs(
  status: number,
  headers: Readonly<Record<string, string>>,
): number | undefined {
  if (!isTransientStatus(status) && status !== 403) return undefined
  const requested = retryAfterMs(headers['retry-after'] ?? null)
  const reset = Number(headers['x-ratelimit-reset'] || Number.NaN)
  if (requested !== undefined || headers['x-ratelimit-remaining'] !== '0') return requested
  return Number.isFinite(reset) ? Math.max(0, reset * 1000 - Date.now()) : undefined
}

const transientCodes = new Set([
  'EAI_AGAIN',
  'ECONNRESET',
  'EPIPE',
  // A truncated compressed body.
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET',
  'Z_BUF_ERROR',
])

/** True for a failure that may not occur again on a retry. */
export function isTransient(error: unknown): boolean {
  if (error instanceof DocsError) return isTransientStatus(error.status ?? 0)
  return causes(error).some(({ code }: NodeJS.ErrnoException) => transientCodes.has(code ?? ''))
}

/** The error and its causes, at most eight. */
export function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < 8; next = next.cause)
    chain.push(next)
  return chain
}

import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'

export function tooLarge(location: string, maxBytes: number): DocsError {
  const limit = `${Math.round(maxBytes / 2 ** 20)} MB`
  return new DocsError(
    'too_large',
    `${quoteValue(location)} is larger than ${limit}, the limit for a page.`,
    'Read a smaller page: many sites split their one-page manual into chapters.',
  )
}

/** Statuses that say "not now". */
const passing = new Set([429, 502, 503, 504])

export function statusError(
  status: number,
  url: string,
  retryAfter: string | null,
  reason?: string,
): DocsError {
  const missing = status === 404 || status === 410
  const waitMs = passing.has(status) ? retryAfterMs(retryAfter) : undefined
  const error = new DocsError(
    missing ? 'not_found' : 'unreachable',
    `${quoteValue(url)} answered with status ${status}${waitMs === undefined ? '' : ` and asks to wait ${Math.ceil(waitMs / 1000)} s`}${reason === undefined ? '' : `: ${quoteValue(reason)}`}.`,
    missing
      ? 'Check the URL, or search for the page.'
      : status === 401 || status === 403
        ? 'The page needs a sign-in or refuses programs; read another page, or give the server headers for this host.'
        : 'Try again later, or read another page.',
  )
  error.status = status
  if (waitMs !== undefined) error.retryAfterMs = waitMs
  return error
}

/** Seconds, or a date. */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

const passingCodes = new Set([
  'EAI_AGAIN',
  'ECONNRESET',
  'EPIPE',
  // A compressed body that ends before its end.
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET',
  'Z_BUF_ERROR',
])

/** True for a failure that may be gone the next time. */
export function isPassing(error: unknown): boolean {
  if (error instanceof DocsError) return passing.has(error.status ?? 0)
  return causes(error).some(({ code }: NodeJS.ErrnoException) => passingCodes.has(code ?? ''))
}

export function toDocsError(error: unknown, url: string, timeoutMs: number): DocsError {
  const known = causes(error).find((cause) => cause instanceof DocsError)
  if (known) return known as DocsError
  const codes = causes(error).flatMap(({ name, code }: NodeJS.ErrnoException) => [name, code])
  if (codes.some((code) => /timeout/i.test(String(code))))
    return new DocsError(
      'timeout',
      `${quoteValue(url)} did not answer within ${timeoutMs / 1000} s.`,
      'Try again later, or read another page.',
      error,
    )
  const detail = causes(error).at(-1)?.message ?? String(error)
  return new DocsError(
    'unreachable',
    `${quoteValue(url)} could not be read: ${detail}.`,
    codes.includes('ENOTFOUND')
      ? 'No such host: check the spelling of the URL.'
      : 'Check the URL, or try again later.',
    error,
  )
}

function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < 8; next = next.cause)
    chain.push(next)
  return chain
}

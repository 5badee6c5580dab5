import { DocsError, quoteValue } from '#formats/docs-error'
import { causes } from './retry.ts'

export function tooLarge(location: string, maxBytes: number): DocsError {
  const limit = `${Math.round(maxBytes / 2 ** 20)} MB`
  return new DocsError(
    'too_large',
    `${quoteValue(location)} is larger than ${limit}, the limit for a page.`,
    'Read a smaller page: many sites split their one-page manual into chapters.',
  )
}

export const isLoginStatus = (status: number): boolean => status === 401 || status === 403

/** `login`: what to do if the page requires one. */
export function statusError(
  status: number,
  url: string,
  {
    waitMs,
    reason,
    login,
  }: { waitMs: number | undefined; reason?: string | undefined; login?: string },
): DocsError {
  const missing = status === 404 || status === 410
  return new DocsError(
    missing ? 'not_found' : 'unreachable',
    `${quoteValue(url)} answered with status ${status}${waitMs === undefined ? '' : ` and requested a wait of ${Math.ceil(waitMs / 1000)} s`}${reason === undefined ? '' : `: ${quoteValue(reason)}`}.`,
    missing
      ? 'Check the URL, or search for the page.'
      : login !== undefined && (status === 401 || waitMs === undefined)
        ? `The page requires a login or rejects programs. ${login}`
        : 'Try again later, or read another page.',
    { status, ...(waitMs !== undefined && { retryAfterMs: waitMs }) },
  )
}

/** Codes of the network in words; other failures are described by the message of their cause. */
const networkProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the host refused the connection',
  ECONNRESET: 'the host closed the connection',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'the host name does not exist',
  UND_ERR_SOCKET: 'the host closed the connection',
}

export function toDocsError(error: unknown, url: string, timeoutMs: number): DocsError {
  const docsError = causes(error).find((cause) => cause instanceof DocsError)
  if (docsError) return docsError as DocsError
  const codes = causes(error).flatMap(({ name, code }: NodeJS.ErrnoException) => [name, code])
  if (codes.some((code) => /timeout/i.test(String(code))))
    return new DocsError(
      'timeout',
      `${quoteValue(url)} did not answer within ${timeoutMs / 1000} s.`,
      'Try again later, or read another page.',
      { cause: error },
    )
  const [inWords] = codes.flatMap((code) => networkProblems[String(code)] ?? [])
  const detail = inWords ?? causes(error).at(-1)?.message ?? String(error)
  return new DocsError(
    'unreachable',
    `${quoteValue(url)} could not be read: ${detail}.`,
    codes.includes('ENOTFOUND')
      ? 'Check the spelling of the URL.'
      : 'Check the URL, or try again later.',
    { cause: error },
  )
}

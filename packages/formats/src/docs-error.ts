import { RemediedError } from '#base/coded-error'

/** Stable codes of {@link DocsError}. */
export type DocsErrorCode =
  | 'bad_argument'
  | 'not_allowed'
  | 'not_found'
  | 'no_source'
  | 'offline'
  | 'page_changed'
  | 'section_not_found'
  | 'timeout'
  | 'too_large'
  | 'unreachable'
  | 'unsupported_type'

type Details = Partial<Pick<DocsError, 'status' | 'setting' | 'retryAfterMs'>>

/** `message` states what failed with which value; `remedy` states what to do. */
export class DocsError extends RemediedError<DocsErrorCode> {
  override readonly name = 'DocsError'
  /** HTTP status, if it was the reason. */
  status?: number
  /** The setting that allows what was refused: the network, or private networks. */
  setting?: 'offline' | 'networks'
  /** Milliseconds that the server asks to wait (`Retry-After`). */
  retryAfterMs?: number

  constructor(
    code: DocsErrorCode,
    message: string,
    remedy: string,
    { cause, ...details }: ErrorOptions & Details = {},
  ) {
    super(code, message, remedy, cause)
    Object.assign(this, details)
  }
}

/** A caller's value for a message: quoted, on one line, at most 120 characters. */
export function quoteValue(value: string): string {
  const line = value.replace(/\s+/g, ' ')
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 119)}…` : line)
}

import { RemediedError } from '#base/coded-error'

/** Stable codes of {@link CodeError}. */
export type CodeErrorCode =
  | 'bad_argument'
  | 'not_allowed'
  | 'not_found'
  | 'not_text'
  | 'symbol_not_found'
  | 'no_symbols'
  | 'ambiguous'
  | 'content_changed'
  | 'too_large'

/** `message` states what failed with which value; `remedy` states what to do. */
export class CodeError extends RemediedError<CodeErrorCode> {
  override readonly name = 'CodeError'
  /** With `content_changed`: the line of the chunk where the page was, from 1. */
  readonly line?: number

  constructor(
    code: CodeErrorCode,
    message: string,
    remedy: string,
    { cause, line }: { cause?: unknown; line?: number } = {},
  ) {
    super(code, message, remedy, cause)
    if (line !== undefined) this.line = line
  }
}

/** In characters. */
export const maxPathLength = 4_096
export const maxNameLength = 1_000

/**
 * Longer values are not meaningful, and matching them may take more than linear time.
 *
 * @throws {CodeError} `bad_argument`
 */
export function checkLength(what: string, text: string, maxLength: number): void {
  if (text.length > maxLength)
    throw new CodeError(
      'bad_argument',
      `${what} has ${text.length} characters; the limit is ${maxLength}.`,
      'Pass a shorter value.',
    )
}

import { CodeError } from '../code-error.ts'

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

import { RejectedError } from '../rejections/rejected-error.ts'

const maxTargetLength = 8_192

/** Sequences that other software may decode to another path. */
const odd = /(?:\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)|%2f|%5c|%0[0-9a-f]|\\|\/\/|[^\x21-\x7e]/i

/**
 * The path of a request without the query. @throws {RejectedError} if it is too long or ambiguous
 */
export function pathOf(target: string | undefined): string {
  if (target === undefined || target[0] !== '/')
    throw new RejectedError('odd_path', 400, 'The request target must be a path.')
  if (target.length > maxTargetLength)
    throw new RejectedError(
      'long_path',
      414,
      `The address must have at most ${maxTargetLength} characters.`,
    )
  const end = target.indexOf('?')
  const path = end === -1 ? target : target.slice(0, end)
  if (odd.test(path)) throw new RejectedError('odd_path', 404, 'There is no such page.')
  return path
}

import { RefusedError } from '../refusals/refused-error.ts'

const longestTarget = 8_192

/** Whatever could mean another path to whoever decodes it. */
const odd = /(?:\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)|%2f|%5c|%0[0-9a-f]|\\|\/\/|[^\x21-\x7e]/i

/** The path of a request, without the query. @throws {RefusedError} for one that is too long or odd */
export function pathOf(target: string | undefined): string {
  if (target === undefined || target[0] !== '/')
    throw new RefusedError('odd_path', 400, 'The request target has to be a path.')
  if (target.length > longestTarget)
    throw new RefusedError('long_path', 414, `An address has at most ${longestTarget} characters.`)
  const end = target.indexOf('?')
  const path = end === -1 ? target : target.slice(0, end)
  if (odd.test(path)) throw new RefusedError('odd_path', 404, 'There is nothing here.')
  return path
}

/**
 * What an index into an array is known to hold.
 *
 * @throws {RangeError} if it holds nothing: the index is out of bounds.
 */
export function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('An index is out of bounds.')
  return value
}

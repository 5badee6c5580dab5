/** An array element that must exist. @throws {RangeError} if the index is out of bounds. */
export function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('An index is out of bounds.')
  return value
}

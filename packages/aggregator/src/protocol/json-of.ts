const texts = new WeakMap<object, string>()

/**
 * The JSON of a result. It is made once, for the journal, the size, the store and the client: a
 * result does not change after it has arrived. @throws {RangeError} if it is nested too deep
 */
export function jsonOf(result: object): string {
  const known = texts.get(result)
  if (known !== undefined) return known
  const text = JSON.stringify(result)
  texts.set(result, text)
  return text
}

/** Quotes a value for an error message and shortens it to `maxLength` characters. */
export function quoteValue(value: unknown, maxLength = 100): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength)}… (${text.length} characters)`
}

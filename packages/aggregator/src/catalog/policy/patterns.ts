/** True if a name matches one of the patterns; `*` matches any text. */
export const matchesAny = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matches(name, pattern))

function matches(name: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return name === pattern
  if (!name.startsWith(first)) return false
  let at = first.length
  // The first match of each part is the best one: linear for any pattern.
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/** A caller's value for a message: quoted, on one line, at most 120 characters. */
export function quoteValue(value: string): string {
  const line = value.replace(/\s+/g, ' ')
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 119)}…` : line)
}

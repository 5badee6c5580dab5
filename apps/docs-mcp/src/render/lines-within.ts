/** As many of the parts, from the first, as a reply has room for; `left` counts the others. */
export function linesWithin(
  parts: readonly string[],
  room = 18_000,
): { lines: string[]; left: number } {
  const lines: string[] = []
  let used = 0
  for (const part of parts) {
    used += part.length + 2
    if (used > room && lines.length > 0) break
    lines.push(part.slice(0, room))
  }
  return { lines, left: parts.length - lines.length }
}

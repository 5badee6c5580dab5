/** The first parts that fit into a reply; `omitted` counts the others. */
export function linesWithin(
  parts: readonly string[],
  budget = 18_000,
): { lines: string[]; omitted: number } {
  const lines: string[] = []
  let used = 0
  for (const part of parts) {
    used += part.length + 2
    if (used > budget && lines.length > 0) break
    lines.push(part.slice(0, budget))
  }
  return { lines, omitted: parts.length - lines.length }
}

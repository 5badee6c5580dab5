/** Unchanged lines around a change. */
const context = 2
/** Pairs of lines to compare; of longer changes all lines count as replaced. */
const maxPairs = 4_000_000

/**
 * The lines that differ, which begin with `- ` and `+ `, with the two lines around them; `…` stands
 * for the rest.
 */
export function lineDiff(before: string, after: string): string[] {
  const old = before.split(/\r?\n/)
  const now = after.split(/\r?\n/)
  const start = commonLength(old, now, (lines, at) => lines[at])
  const room = Math.min(old.length, now.length) - start
  const end = Math.min(
    room,
    commonLength(old, now, (lines, at) => lines[lines.length - 1 - at]),
  )
  const lines = [
    ...old.slice(0, start).map((line) => `  ${line}`),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map((line) => `  ${line}`),
  ]
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - context), at + context + 1).some((line) => !line.startsWith('  '))
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line]
    return at > 0 && isNear(at - 1) && lines.slice(at).some((_, next) => isNear(at + next))
      ? ['…']
      : []
  })
}

function commonLength(
  old: readonly string[],
  now: readonly string[],
  lineAt: (lines: readonly string[], at: number) => string | undefined,
): number {
  const max = Math.min(old.length, now.length)
  let length = 0
  while (length < max && lineAt(old, length) === lineAt(now, length)) length++
  return length
}

/** By the longest common subsequence. */
function middle(old: readonly string[], now: readonly string[]): string[] {
  const gone = (line: string): string => `- ${line}`
  const come = (line: string): string => `+ ${line}`
  if (old.length * now.length > maxPairs) return [...old.map(gone), ...now.map(come)]
  const width = now.length + 1
  const lengths = new Uint16Array((old.length + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: string[] = []
  for (let row = 0, column = 0; row < old.length || column < now.length; ) {
    const [line, next] = [old[row], now[column]]
    if (line !== undefined && line === next) {
      lines.push(`  ${line}`)
      row++
      column++
    } else if (line !== undefined && at(row + 1, column) >= at(row, column + 1)) {
      lines.push(gone(line))
      row++
    } else {
      lines.push(come(next ?? ''))
      column++
    }
  }
  return lines
}

import { diffArrays } from 'diff'

/** Unchanged lines around a change. */
const context = 2
/** Changed lines; of longer changes all lines count as replaced. */
const maxEditLength = 2_000

/**
 * The lines that differ, which begin with `- ` and `+ `, with the two lines around them; `…` stands
 * for the rest.
 */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)]
  const parts = diffArrays(old, now, { maxEditLength }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ]
  const lines = parts.flatMap(({ value, added, removed }) =>
    value.map((line) => `${added ? '+' : removed ? '-' : ' '} ${line}`),
  )
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - context), at + context + 1).some((line) => !line.startsWith('  '))
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line]
    return at > 0 && isNear(at - 1) && lines.slice(at).some((_, next) => isNear(at + next))
      ? ['…']
      : []
  })
}

import { hash } from 'node:crypto'

/**
 * Lines that are written at once are a group. Its last line ends with `"chain"`, a hash of the group
 * and of the chain value before it; the first group of a file has that value, too, as `"after"`.
 * Anyone who can write the files can write new values, unless the latest are kept elsewhere.
 */
export function chained(lines: string, before: string, isFirst: boolean): [string, string] {
  const text = isFirst ? withMember(lines, 'after', before) : lines
  const chain = chainOf(before, text)
  return [`${withMember(text, 'chain', chain)}\n`, chain]
}

/** The chain value of a group, without its own member and the last line feed. */
const chainOf = (before: string, lines: string): string =>
  hash('sha256', before + lines).slice(0, 32)

/** The first value of a writer that a record names: not empty, as it was before there were records. */
export const seedOf = (name: string): string => chainOf('', name)

const withMember = (lines: string, name: string, value: string): string =>
  `${lines.slice(0, -1)},"${name}":"${value}"}`

/** Bytes that `chained` adds at most. */
export const maxChainBytes = 96

/** Splits a line that ends a group. */
export function unchained(
  line: string,
): { text: string; chain: string; after: string | undefined } | undefined {
  const [member, chain = ''] = /,"chain":"([0-9a-f]{32})"\}$/.exec(line) ?? []
  if (member === undefined) return undefined
  const text = `${line.slice(0, -member.length)}}`
  return { text, chain, after: /,"after":"([0-9a-f]*)"\}$/.exec(text)?.[1] }
}

/**
 * Faults in lines of one writer, each as `:from–to: what`. `expected`: the last value before them, if
 * it is known.
 */
export function verifyLines(
  lines: readonly string[],
  expected: string | undefined,
): { faults: string[]; chain: string | undefined; unchained: number } {
  const faults: string[] = []
  let before: string | undefined
  let from = 0
  for (const [index, line] of lines.entries()) {
    const end = unchained(line)
    if (end === undefined) continue
    if (before === undefined && expected !== undefined && end.after !== expected)
      faults.push(': lines are missing before it')
    before ??= end.after ?? ''
    const text = [...lines.slice(from, index), end.text].join('\n')
    if (chainOf(before, text) !== end.chain)
      faults.push(`:${from + 1}–${index + 1}: a line was changed, added or removed here`)
    before = end.chain
    from = index + 1
  }
  const rest = lines.length - from
  if (before !== undefined && rest > 0)
    faults.push(`:${from + 1}–${lines.length}: the lines have no chain value`)
  return { faults, chain: before, unchained: before === undefined ? rest : 0 }
}

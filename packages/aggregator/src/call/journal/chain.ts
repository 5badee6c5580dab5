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
export const chainOf = (before: string, lines: string): string =>
  hash('sha256', before + lines).slice(0, 32)

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

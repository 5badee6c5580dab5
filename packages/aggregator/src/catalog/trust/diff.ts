import type { Fields } from '../../protocol/message.ts'
import { visible } from '../../protocol/visible.ts'

/** What differs between two definitions, a line for each: `- old` and `+ new`, with their path. */
export function diffOf(before: Fields | undefined, after: Fields): string[] {
  const old = new Map(before === undefined ? [] : leavesOf(before, ''))
  const now = new Map(leavesOf(after, ''))
  const paths = [...new Set([...old.keys(), ...now.keys()])]
  return paths.flatMap((path) => {
    const was = old.get(path)
    const is = now.get(path)
    if (was === is) return []
    return [
      ...(was === undefined ? [] : [`- ${path}: ${visible(was)}`]),
      ...(is === undefined ? [] : [`+ ${path}: ${visible(is)}`]),
    ]
  })
}

function leavesOf(value: unknown, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [[path || '.', typeof value === 'string' ? value : JSON.stringify(value)]]
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, path === '' ? visible(key) : `${path}.${visible(key)}`),
  )
}

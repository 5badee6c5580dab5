import { escapeInvisible } from '#servers/protocol/escape-invisible'
import type { JsonObject } from '#servers/protocol/message'

/** Differences between two definitions, one per line with its path: `- old` and `+ new`. */
export function diffOf(before: JsonObject | undefined, after: JsonObject | undefined): string[] {
  const old = new Map(before === undefined ? [] : leavesOf(before, ''))
  const now = new Map(after === undefined ? [] : leavesOf(after, ''))
  const paths = [...new Set([...old.keys(), ...now.keys()])]
  return paths.flatMap((path) => {
    const was = old.get(path)
    const is = now.get(path)
    if (was === is) return []
    return [
      ...(was === undefined ? [] : [`- ${path}: ${escapeInvisible(was)}`]),
      ...(is === undefined ? [] : [`+ ${path}: ${escapeInvisible(is)}`]),
    ]
  })
}

function leavesOf(value: unknown, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [[path || '.', typeof value === 'string' ? value : JSON.stringify(value)]]
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, path === '' ? escapeInvisible(key) : `${path}.${escapeInvisible(key)}`),
  )
}

import type { Scope } from '@pith-mcp/server-kit'
import { isTable, readJsonc, serversKeyOf, valueAt } from '@pith-mcp/server-kit/files'

type Path = readonly string[]
type Judge = (before: unknown, after: unknown) => boolean

/** Members of a server that change neither what is started nor what may be called. */
const open = new Set([
  ...['description', 'timeoutSeconds', 'startTimeoutSeconds', 'idleMinutes', 'per', 'instances'],
  ...['maxInstances', 'era'],
])

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const hasAll = (all: unknown, some: unknown): boolean =>
  listOf(some).every((item) => listOf(all).includes(item))

const isSubset: Judge = (before, after) => Array.isArray(after) && hasAll(before, after)
/** Without a list, all is permitted. */
const isRestriction: Judge = (before, after) =>
  Array.isArray(after) && (before === undefined || hasAll(before, after))
const isLower: Judge = (before, after) =>
  typeof after === 'number' && (before === undefined || after <= Number(before))

/** By the name of a member, whether its change permits no more than before. */
const narrows: Readonly<Record<string, Judge>> = {
  allow: isRestriction,
  asks: isRestriction,
  deny: (before, after) => hasAll(after, before),
  readOnly: (before, after) => after === true || before !== true,
  enabled: (before, after) => after === false || before !== false,
  disabled: (before, after) => after === true || before !== true,
  // One more may put a server into a profile.
  servers: isSubset,
  tags: isSubset,
  calls: isLower,
  sessionTokens: isLower,
  maxConcurrency: isLower,
  seconds: (before, after) => typeof after === 'number' && after >= Number(before ?? 0),
}

/** Whether what a member has permits no more than before. */
function isNarrower(path: Path, before: unknown, after: unknown): boolean {
  if (JSON.stringify(before) === JSON.stringify(after)) return true
  const [first, second = '', third = ''] = path
  const key = path.at(-1) ?? ''
  // A new profile admits clients that have named it before.
  const isProfile = second === 'profiles' && path.length === 3
  if (isProfile && (before === undefined || after === undefined)) return after === undefined
  const judge = Object.hasOwn(narrows, key) ? narrows[key] : undefined
  if (judge && path.length > 2) return judge(before, after)
  if (first === 'mcpServers' && open.has(third)) return true
  // Names and texts of tools; whether one may be called is judged above.
  if (first === 'mcpServers' && third === 'tools' && path.length > 4) return true
  if (![before, after].every((value) => value === undefined || isTable(value))) return false
  const members = [before, after].map((value) => (isTable(value) ? value : {}))
  const keys = new Set(members.flatMap((member) => Object.keys(member)))
  return [...keys].every((name) =>
    isNarrower([...path, name], members[0]?.[name], members[1]?.[name]),
  )
}

/** Whether a change there can be one that only restricts. */
function isJudged([first, second = '', third = '']: Path): boolean {
  if (first === 'mcpServers')
    return open.has(third) || third === 'tools' || third === 'rate' || Object.hasOwn(narrows, third)
  return second === 'profiles' || (second === 'limits' && third !== '' && third !== 'redis')
}

/**
 * `console` for what permits no more than before, by the texts of the file; `console:admin` for what
 * is started, who may enter, what is trusted, and all that permits more.
 */
export function scopeOfEdits(paths: readonly Path[], before: string, after: string): Scope {
  const [old, now] = [before, after].map((text) => readJsonc(text.trim() || '{}').data)
  const isOpen = (path: Path): boolean => {
    if (!isJudged(path)) return false
    const [first = '', ...rest] = path.slice(0, 3)
    const valuesOf = (data = {}): unknown =>
      valueAt(data, [first === 'mcpServers' ? serversKeyOf(data) : first, ...rest])
    return isNarrower([first, ...rest], valuesOf(old), valuesOf(now))
  }
  return paths.every(isOpen) ? 'console' : 'console:admin'
}

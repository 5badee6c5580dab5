import type { Scope } from '@pith-mcp/server-kit'
import { isTable, readJsonc, serversKeyOf, valueAt } from '@pith-mcp/server-kit/files'

type Path = readonly string[]
type Judge = (before: unknown, after: unknown) => boolean

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const hasAll = (all: unknown, some: unknown): boolean =>
  listOf(some).every((item) => listOf(all).includes(item))

/** Without a list before, something else may have restricted it. */
const isSubset: Judge = (before, after) => Array.isArray(after) && hasAll(before, after)
/** Without a list, all is permitted. */
const isRestriction: Judge = (before, after) =>
  Array.isArray(after) && (before === undefined || hasAll(before, after))
const isSuperset: Judge = (before, after) => hasAll(after, before)
const isOn: Judge = (before, after) => after === true || before !== true
const isOff: Judge = (before, after) => after === false || before !== false
const isLower: Judge = (before, after) =>
  typeof after === 'number' && typeof before === 'number' && after <= before
const isLimit: Judge = (before, after) => before === undefined || isLower(before, after)
const isAny: Judge = () => true

/** All members that a judge is for, which may be absent; others must not change. */
const each =
  (judges: Readonly<Record<string, Judge>>): Judge =>
  (before, after) => {
    if (![before, after].every((value) => value === undefined || isTable(value))) return false
    const [old, now] = [before, after].map((value) => (isTable(value) ? value : {}))
    return [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].every(
      (key) =>
        JSON.stringify(old?.[key]) === JSON.stringify(now?.[key]) ||
        (Object.hasOwn(judges, key) && judges[key]?.(old?.[key], now?.[key])),
    )
  }
/** The same for whatever members there are. */
const all =
  (judge: Judge): Judge =>
  (before, after) =>
    each(
      Object.fromEntries(
        Object.keys({ ...Object(before), ...Object(after) }).map((key) => [key, judge]),
      ),
    )(before, after)

const rate = (before: unknown, after: unknown): boolean =>
  isTable(after) &&
  each({
    calls: isLimit,
    seconds: (old, now) => typeof now === 'number' && now >= Number(old ?? 0),
  })(before, after)

const profile = each({
  ...{ description: isAny, allow: isRestriction, deny: isSuperset, readOnly: isOn },
  // One more may put a server into the profile.
  ...{ servers: isSubset, tags: isSubset },
})

/** By the member of a server, whether a change permits no more than before. */
const ofServer: Readonly<Record<string, Judge>> = {
  ...{ description: isAny, timeoutSeconds: isAny, startTimeoutSeconds: isAny, idleMinutes: isAny },
  ...{ per: isAny, instances: isAny, era: isAny, enabled: isOff, disabled: isOn },
  ...{ allow: isRestriction, deny: isSuperset, readOnly: isOn, asks: isSubset, tags: isSubset },
  // What is absent may be limited for all servers.
  ...{ rate: (before, after) => before !== undefined && rate(before, after) },
  ...{ maxConcurrency: isLimit, maxInstances: isLower },
  // Another name may be one that is allowed.
  tools: all(each({ enabled: isOff, description: isAny })),
}

const ofSettings: Readonly<Record<string, Judge>> = {
  // A new profile admits clients that have named it before.
  profiles: all(
    (before, after) => after === undefined || (before !== undefined && profile(before, after)),
  ),
  limits: each({ caller: rate, server: rate, tool: rate, sessionTokens: isLimit }),
}

/**
 * `console` for what permits no more than before, by the texts of the file; `console:admin` for what
 * is started, who may enter, what is trusted, and all that permits more.
 */
export function scopeOfEdits(paths: readonly Path[], before: string, after: string): Scope {
  const [old, now] = [before, after].map((text) => readJsonc(text.trim() || '{}').data)
  const isOpen = ([first = '', second = '', third = '']: Path): boolean => {
    const isServer = first === 'mcpServers'
    const [judges, name] = isServer ? [ofServer, third] : [ofSettings, second]
    const judge = Object.hasOwn(judges, name) ? judges[name] : undefined
    if (judge === undefined || (!isServer && third === 'redis')) return false
    const valueIn = (data = {}): unknown =>
      valueAt(data, isServer ? [serversKeyOf(data), second, third] : [first, second])
    const values = [valueIn(old), valueIn(now)] as const
    return JSON.stringify(values[0]) === JSON.stringify(values[1]) || judge(...values)
  }
  return paths.every(isOpen) ? 'console' : 'console:admin'
}

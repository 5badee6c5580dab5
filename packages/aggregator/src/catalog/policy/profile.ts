import type { ProfileSettings } from '#servers/config/profile-settings'
import { type ServerConfig, unitsOf } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import { exposedName, mayBeOf } from './exposed-names.ts'
import { folded, matchesAny } from './patterns.ts'
import { type HidingKey, saysItReadsOnly } from './tool-rules.ts'

/** The servers and tools that a client may see and use. */
export type Profile = ReturnType<typeof createProfile>

export function createProfile(
  name: string | undefined,
  settings: ProfileSettings,
  all: readonly ServerConfig[],
) {
  const { servers: patterns, tags, accounts = {}, allow, deny, readOnly } = settings
  /** The setting that leaves a server out; undefined if none does. */
  const leftOutBy = (server: ServerConfig) => {
    const isNamed =
      (patterns === undefined && tags === undefined) ||
      (patterns !== undefined && matchesAny(server.name, patterns)) ||
      (server.tags ?? []).some((tag) => tags?.includes(tag))
    if (!isNamed) return patterns === undefined ? 'tags' : 'servers'
    // Without any allowed tool, its prompts and resources are hidden too.
    if (allow && !allow.some((pattern) => concerns(pattern, server, all))) return 'allow'
    if (deny?.some((pattern) => isWhole(folded(pattern), { name: folded(server.name) })))
      return 'deny'
    return allowedUnits(server, accounts).length === 0 ? 'accounts' : undefined
  }
  const units = new Map(
    all
      .filter((server) => leftOutBy(server) === undefined)
      .map((server) => [server, allowedUnits(server, accounts)] as const),
  )
  const servers = [...units.keys()]
  return {
    name,
    settings,
    leftOutBy,
    /**
     * The servers of the profile. `unitsOf` lists the allowed accounts of each, the default first.
     */
    servers,
    unitsOf: (server: ServerConfig) => units.get(server) ?? [],
    /** The setting that excludes a tool; undefined if none does. `names` are all its names. */
    exclusionOf(
      server: ServerConfig,
      names: readonly string[],
      definition: JsonObject,
    ): HidingKey | undefined {
      if (allow && !allow.some((pattern) => namesTool(pattern, server, names, all))) return 'allow'
      if (deny?.some((pattern) => namesTool(pattern, server, names, all, folded))) return 'deny'
      return readOnly === true && !saysItReadsOnly(definition) ? 'readOnly' : undefined
    },
  }
}

function allowedUnits(
  server: ServerConfig,
  accounts: Readonly<Record<string, readonly string[]>>,
): readonly ServerConfig[] {
  const units = unitsOf(server)
  const allowed = Object.hasOwn(accounts, server.name) ? accounts[server.name] : undefined
  if (allowed === undefined || server.accounts === undefined) return units
  return allowed.flatMap((account) => units.filter((unit) => unit.account === account))
}

/**
 * True for a pattern of servers. A dot separates server and tool, unless a server has that name.
 */
function isWhole(pattern: string, { name }: Named): boolean {
  if (pattern === name || pattern === `${name}.*`) return true
  return !pattern.includes('.') && matchesAny(name, [pattern])
}

interface Named {
  name: string
}

const asWritten = (text: string): string => text

/** True if a pattern of a profile means a tool: `server`, `server.tool` or `server__tool`. */
export function namesTool(
  pattern: string,
  server: Named,
  names: readonly string[],
  all: readonly Named[],
  fold: (text: string) => string = asWritten,
): boolean {
  const foldedPattern = fold(pattern)
  const name = fold(server.name)
  if (isWhole(foldedPattern, { name })) return true
  const splits = partsOf(
    foldedPattern,
    all.map((candidate) => fold(candidate.name)),
  )
  const isExposed = (tool: string): boolean =>
    foldedPattern.includes('__') &&
    matchesAny(fold(exposedName({ server: server.name, name: tool }, true)), [foldedPattern])
  return names.some(
    (tool) =>
      isExposed(tool) ||
      splits.some(
        ([ofServer, ofTool]) => matchesAny(name, [ofServer]) && matchesAny(fold(tool), [ofTool]),
      ),
  )
}

/** True if a pattern may mean a tool of the server. */
export const concerns = (pattern: string, server: Named, all: readonly Named[]): boolean =>
  isWhole(pattern, server) ||
  mayBeOf(server.name, pattern) ||
  partsOf(
    pattern,
    all.map(({ name }) => name),
  ).some(([ofServer]) => matchesAny(server.name, [ofServer]))

/** Both names may contain dots: the longest existing server name wins. */
function partsOf(pattern: string, all: readonly string[]): [string, string][] {
  const parts = pattern.split('.')
  const splits = parts
    .slice(1)
    .map((_, index): [string, string] => [
      parts.slice(0, index + 1).join('.'),
      parts.slice(index + 1).join('.'),
    ])
  const matches = splits.filter(([ofServer]) => all.includes(ofServer))
  return matches.length > 0 ? matches.slice(-1) : splits
}

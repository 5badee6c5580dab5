import type { ProfileSettings } from '../../config/profile-settings.ts'
import { type ServerConfig, unitsOf } from '../../config/server-config.ts'
import type { JsonObject } from '../../protocol/message.ts'
import { matchesAny } from './patterns.ts'
import { saysItReadsOnly } from './tool-rules.ts'

/** The servers and tools that a client may see and use. */
export type Profile = ReturnType<typeof createProfile>

export function createProfile(
  name: string | undefined,
  settings: ProfileSettings,
  all: readonly ServerConfig[],
) {
  const { servers: patterns, tags, accounts = {}, allow, deny, readOnly } = settings
  const isIn = (server: ServerConfig): boolean =>
    ((patterns === undefined && tags === undefined) ||
      (patterns !== undefined && matchesAny(server.name, patterns)) ||
      (server.tags ?? []).some((tag) => tags?.includes(tag))) &&
    // Without any allowed tool, its prompts and resources are hidden too.
    (allow === undefined || allow.some((pattern) => concerns(pattern, server, all))) &&
    !deny?.some((pattern) => isWhole(pattern, server))
  const units = new Map(
    all.filter(isIn).map((server) => [server, allowedUnits(server, accounts)] as const),
  )
  // A server without an allowed account is left out.
  const servers = [...units].flatMap(([server, allowed]) => (allowed.length > 0 ? [server] : []))
  return {
    name,
    /**
     * The servers of the profile. `unitsOf` lists the allowed accounts of each, the default first.
     */
    servers,
    unitsOf: (server: ServerConfig) => units.get(server) ?? [],
    /** `names` are all names of the tool. */
    admits(server: ServerConfig, names: readonly string[], definition: JsonObject) {
      const isOne = (pattern: string): boolean =>
        isWhole(pattern, server) || names.some((tool) => isTool(pattern, server, tool, all))
      if (allow && !allow.some(isOne)) return false
      if (deny?.some(isOne)) return false
      return readOnly !== true || saysItReadsOnly(definition)
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
function isWhole(pattern: string, { name }: ServerConfig): boolean {
  if (pattern === name || pattern === `${name}.*`) return true
  return !pattern.includes('.') && matchesAny(name, [pattern])
}

const isTool = (
  pattern: string,
  server: ServerConfig,
  tool: string,
  all: readonly ServerConfig[],
): boolean =>
  partsOf(pattern, all).some(
    ([ofServer, ofTool]) => matchesAny(server.name, [ofServer]) && matchesAny(tool, [ofTool]),
  )

const concerns = (pattern: string, server: ServerConfig, all: readonly ServerConfig[]): boolean =>
  isWhole(pattern, server) ||
  partsOf(pattern, all).some(([ofServer]) => matchesAny(server.name, [ofServer]))

/** Both names may contain dots: the longest existing server name wins. */
function partsOf(pattern: string, all: readonly ServerConfig[]): [string, string][] {
  const parts = pattern.split('.')
  const splits = parts
    .slice(1)
    .map((_, index): [string, string] => [
      parts.slice(0, index + 1).join('.'),
      parts.slice(index + 1).join('.'),
    ])
  const named = splits.filter(([ofServer]) => all.some(({ name }) => name === ofServer))
  return named.length > 0 ? named.slice(-1) : splits
}

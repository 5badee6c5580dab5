import type { ProfileSettings } from '../../config/profile-settings.ts'
import { type ServerConfig, unitsOf } from '../../config/server-config.ts'
import type { Fields } from '../../protocol/message.ts'
import { matchesAny } from './patterns.ts'
import { saysItReadsOnly } from './tool-rules.ts'

/** What someone may see and use. */
export interface Profile {
  readonly name: string | undefined
  /** Servers of it, each with the accounts that may be used, the default first. */
  readonly servers: readonly ServerConfig[]
  unitsOf(server: ServerConfig): readonly ServerConfig[]
  /** By all names of the tool. */
  admits(server: ServerConfig, names: readonly string[], definition: Fields): boolean
}

export function createProfile(
  name: string | undefined,
  settings: ProfileSettings,
  all: readonly ServerConfig[],
): Profile {
  const { servers: patterns, tags, accounts = {}, allow, deny, readOnly } = settings
  const isIn = (server: ServerConfig): boolean =>
    ((patterns === undefined && tags === undefined) ||
      (patterns !== undefined && matchesAny(server.name, patterns)) ||
      (server.tags ?? []).some((tag) => tags?.includes(tag))) &&
    // Its prompts and resources are those of nobody then, either.
    (allow === undefined || allow.some((pattern) => concerns(pattern, server, all))) &&
    !deny?.some((pattern) => isWhole(pattern, server))
  const units = new Map(
    all.filter(isIn).map((server) => [server, allowedUnits(server, accounts)] as const),
  )
  // A server none of whose accounts may be used is none.
  const servers = [...units].flatMap(([server, allowed]) => (allowed.length > 0 ? [server] : []))
  return {
    name,
    servers,
    unitsOf: (server) => units.get(server) ?? [],
    admits(server, names, definition) {
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
  const wanted = Object.hasOwn(accounts, server.name) ? accounts[server.name] : undefined
  if (wanted === undefined || server.accounts === undefined) return units
  return wanted.flatMap((account) => units.filter((unit) => unit.account === account))
}

/** A pattern of servers; a dot in it parts the names of server and tool, unless a server is called so. */
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

/** Either name may have dots; the longest name of a server that there is is meant. */
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

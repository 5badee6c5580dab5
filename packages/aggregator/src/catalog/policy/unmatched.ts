import type { ProfileSettings } from '../../config/profile-settings.ts'
import type { Configured } from '../../config/server-config.ts'
import { type ServerConfig, unitsOf } from '../../config/server-config.ts'
import { nearestOf } from '../../protocol/nearest-of.ts'
import { deniesAny, folded, matchesAny, namesInRules } from './patterns.ts'
import { concerns, namesTool } from './profile.ts'

/** The names of the tools of a unit; undefined while they are unknown. */
export type ToolNames = (unit: ServerConfig) => readonly string[] | undefined

/** A setting that matches nothing, and the names that it could have meant. */
interface Unmatched {
  path: string
  text: string
  /** What it does not match, such as `tool of notes`. */
  what: string
  names: readonly string[]
}

/**
 * One sentence for each pattern, override, account and name that matches nothing, with the most
 * similar name. Settings of tools that are not known yet are left out.
 */
export async function describeUnmatched(
  configured: Configured,
  toolsOf: ToolNames,
): Promise<string[]> {
  const known = new Map(configured.servers.map((server) => [server, namesOf(server, toolsOf)]))
  const found = [
    ...configured.servers.flatMap((server) => inRules(server, known.get(server))),
    ...Object.entries(configured.profiles ?? {}).flatMap(([name, profile]) =>
      inProfile(`aggregator.profiles.${name}`, profile, configured, known),
    ),
  ]
  return Promise.all(
    found.map(async ({ path, text, what, names }) => {
      const [near] = await nearestOf(text.replaceAll('*', ''), names)
      const hint = near === undefined ? '' : ` The most similar name is ${near}.`
      return `${path}: ${JSON.stringify(text)} matches no ${what}.${hint}`
    }),
  )
}

/** Undefined unless the tools of all accounts are known: another one may have the tool. */
function namesOf(server: ServerConfig, toolsOf: ToolNames): readonly string[] | undefined {
  const lists = unitsOf(server).map(toolsOf)
  return lists.includes(undefined) ? undefined : [...new Set(lists.flatMap((list) => list ?? []))]
}

function inRules(
  { name, rules = {} }: ServerConfig,
  tools: readonly string[] | undefined,
): Unmatched[] {
  if (tools === undefined) return []
  const { allow = [], deny = [], tools: overrides = {} } = rules
  const shown = Object.values(overrides).flatMap((override) => override.name ?? [])
  const names = namesInRules(name, [...tools, ...shown])
  const isMatched = (pattern: string): boolean => names.some((one) => matchesAny(one, [pattern]))
  const isDenied = (pattern: string): boolean => names.some((one) => deniesAny(one, [pattern]))
  const isTool = (key: string): boolean =>
    namesInRules(name, tools).some((one) =>
      overrides[key]?.enabled === false ? folded(one) === folded(key) : one === key,
    )
  const path = `mcpServers.${name}`
  const of = { what: `tool of ${name}`, names: tools }
  return [
    ...each(
      `${path}.allow`,
      allow.filter((pattern) => !isMatched(pattern)),
      of,
    ),
    ...each(
      `${path}.deny`,
      deny.filter((pattern) => !isDenied(pattern)),
      of,
    ),
    ...each(
      `${path}.tools`,
      Object.keys(overrides).filter((key) => !isTool(key)),
      of,
    ),
  ]
}

const each = (
  path: string,
  texts: readonly string[],
  of: Pick<Unmatched, 'what' | 'names'>,
): Unmatched[] => texts.map((text) => ({ path, text, ...of }))

function inProfile(
  path: string,
  { servers = [], tags = [], allow = [], deny = [], accounts = {} }: ProfileSettings,
  { servers: all, disabled = [] }: Configured,
  known: ReadonlyMap<ServerConfig, readonly string[] | undefined>,
): Unmatched[] {
  const names = [...all.map(({ name }) => name), ...disabled]
  const off = disabled.map((name) => ({ name }))
  const allTags = new Set(all.flatMap((server) => server.tags ?? []))
  const addresses = all.flatMap((server) =>
    (known.get(server) ?? []).map((tool) => `${server.name}.${tool}`),
  )
  /** Settings of tools that are not known yet, or of a disabled server, may match. */
  const isMatched = (given: string, fold: (text: string) => string): boolean => {
    const pattern = fold(given)
    const folds = (one: { name: string }) => ({ name: fold(one.name) })
    const others = [...all, ...off].map(folds)
    return (
      off.some((one) => concerns(pattern, folds(one), others)) ||
      all.some((server) => {
        if (!concerns(pattern, folds(server), others)) return false
        const tools = known.get(server)
        const shown = Object.values(server.rules?.tools ?? {}).flatMap(({ name }) => name ?? [])
        return tools === undefined || namesTool(given, server, [...tools, ...shown], all, fold)
      })
    )
  }
  const asWritten = (text: string): string => text
  const ofTools = { what: 'tool', names: [...addresses, ...names] }
  const ofServers = { what: 'server', names }
  const ofTags = { what: 'tag of an enabled server', names: [...allTags] }
  return [
    ...each(
      `${path}.servers`,
      servers.filter((pattern) => !names.some((name) => matchesAny(name, [pattern]))),
      ofServers,
    ),
    ...each(
      `${path}.tags`,
      tags.filter((tag) => !allTags.has(tag)),
      ofTags,
    ),
    ...each(
      `${path}.allow`,
      allow.filter((pattern) => !isMatched(pattern, asWritten)),
      ofTools,
    ),
    ...each(
      `${path}.deny`,
      deny.filter((pattern) => !isMatched(pattern, folded)),
      ofTools,
    ),
    ...Object.entries(accounts).flatMap(([name, listed]): Unmatched[] => {
      if (!names.includes(name)) return each(`${path}.accounts`, [name], ofServers)
      const server = all.find((one) => one.name === name)
      if (server === undefined) return []
      const own = (server.accounts ?? []).flatMap(({ account }) => account ?? [])
      return each(
        `${path}.accounts.${name}`,
        listed.filter((account) => !own.includes(account)),
        { what: `account of ${name}`, names: own },
      )
    }),
  ]
}

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
  const toolNames = new Map(configured.servers.map((server) => [server, namesOf(server, toolsOf)]))
  const faults = [
    ...configured.servers.flatMap((server) => inRules(server, toolNames.get(server))),
    ...Object.entries(configured.profiles ?? {}).flatMap(([name, profile]) =>
      inProfile(`aggregator.profiles.${name}`, profile, configured, toolNames),
    ),
  ]
  return Promise.all(
    faults.map(async ({ path, text, what, names }) => {
      const [nearest] = await nearestOf(text.replaceAll('*', ''), names)
      const hint = nearest === undefined ? '' : ` The most similar name is ${nearest}.`
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
  const aliases = Object.values(overrides).flatMap((override) => override.name ?? [])
  const names = namesInRules(name, [...tools, ...aliases])
  const isMatched = (pattern: string): boolean => names.some((tool) => matchesAny(tool, [pattern]))
  const isDenied = (pattern: string): boolean => names.some((tool) => deniesAny(tool, [pattern]))
  const isTool = (key: string): boolean =>
    namesInRules(name, tools).some((tool) =>
      overrides[key]?.enabled === false ? folded(tool) === folded(key) : tool === key,
    )
  const of = { what: `tool of ${name}`, names: tools }
  return unmatchedIn(`mcpServers.${name}`, [
    ['allow', allow, isMatched, of],
    ['deny', deny, isDenied, of],
    ['tools', Object.keys(overrides), isTool, of],
  ])
}

type Meant = Pick<Unmatched, 'what' | 'names'>
type Setting = readonly [
  key: string,
  texts: readonly string[],
  isMatched: (text: string) => boolean,
  meant: Meant,
]

/** What matches nothing in the settings of one object. */
const unmatchedIn = (path: string, settings: readonly Setting[]): Unmatched[] =>
  settings.flatMap(([key, texts, isMatched, meant]) =>
    texts
      .filter((text) => !isMatched(text))
      .map((text) => ({ path: `${path}.${key}`, text, ...meant })),
  )

function inProfile(
  path: string,
  { servers = [], tags = [], allow = [], deny = [], accounts = {} }: ProfileSettings,
  { servers: all, disabled = [] }: Configured,
  toolNames: ReadonlyMap<ServerConfig, readonly string[] | undefined>,
): Unmatched[] {
  const names = [...all.map(({ name }) => name), ...disabled]
  const off = disabled.map((name) => ({ name }))
  const allTags = new Set(all.flatMap((server) => server.tags ?? []))
  const addresses = all.flatMap((server) =>
    (toolNames.get(server) ?? []).map((tool) => `${server.name}.${tool}`),
  )
  /** Settings of tools that are not known yet, or of a disabled server, may match. */
  const isMatched = (text: string, fold: (text: string) => string): boolean => {
    const pattern = fold(text)
    const folds = (server: { name: string }) => ({ name: fold(server.name) })
    const candidates = [...all, ...off].map(folds)
    return (
      off.some((server) => concerns(pattern, folds(server), candidates)) ||
      all.some((server) => {
        if (!concerns(pattern, folds(server), candidates)) return false
        const tools = toolNames.get(server)
        const aliases = Object.values(server.rules?.tools ?? {}).flatMap(({ name }) => name ?? [])
        return tools === undefined || namesTool(text, server, [...tools, ...aliases], all, fold)
      })
    )
  }
  const asWritten = (text: string): string => text
  const ofTools = { what: 'tool', names: [...addresses, ...names] }
  const ofServers = { what: 'server', names }
  const ofTags = { what: 'tag of an enabled server', names: [...allTags] }
  return unmatchedIn(path, [
    ['servers', servers, (pattern) => names.some((name) => matchesAny(name, [pattern])), ofServers],
    ['tags', tags, (tag) => allTags.has(tag), ofTags],
    ['allow', allow, (pattern) => isMatched(pattern, asWritten), ofTools],
    ['deny', deny, (pattern) => isMatched(pattern, folded), ofTools],
    ['accounts', Object.keys(accounts), (name) => names.includes(name), ofServers],
    ...Object.entries(accounts).flatMap(([name, allowed]): Setting[] => {
      const server = all.find((candidate) => candidate.name === name)
      if (server === undefined) return []
      const accountNames = (server.accounts ?? []).flatMap(({ account }) => account ?? [])
      const meant = { what: `account of ${name}`, names: accountNames }
      return [[`accounts.${name}`, allowed, (account) => accountNames.includes(account), meant]]
    }),
  ])
}

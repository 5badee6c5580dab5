import type { ProfileSettings } from '#servers/config/profile-settings'
import type { Configured } from '#servers/config/server-config'
import { type ServerConfig, unitsOf } from '#servers/config/server-config'
import { nearestOf } from '#servers/protocol/nearest-of'
import { deniesAny, folded, matchesAny, namesInRules } from './patterns.ts'
import { concerns, namesTool } from './profile.ts'
import { type EntryOf, unmetConditions } from './unmet-conditions.ts'

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
  entryOf: EntryOf,
): Promise<string[]> {
  const toolNames = new Map(configured.servers.map((server) => [server, namesOf(server, entryOf)]))
  const matching = createMatching(configured, toolNames)
  const faults = [
    ...configured.servers.flatMap((server) => inRules(server, toolNames.get(server))),
    ...Object.entries(configured.profiles ?? {}).flatMap(([name, profile]) =>
      inProfile(`aggregator.profiles.${name}`, profile, configured, matching),
    ),
    ...inPermissions(configured, matching, entryOf),
  ]
  const sentences = await Promise.all(
    faults.map(async ({ path, text, what, names }) => {
      const [nearest] = await nearestOf(text.replaceAll('*', ''), names)
      const hint = nearest === undefined ? '' : ` The most similar name is ${nearest}.`
      return `${path}: ${JSON.stringify(text)} matches no ${what}.${hint}`
    }),
  )
  return [...sentences, ...(await unmetConditions(configured, entryOf))]
}

/** Undefined unless the tools of all accounts are known: another one may have the tool. */
function namesOf(server: ServerConfig, entryOf: EntryOf): readonly string[] | undefined {
  const lists = unitsOf(server).map((unit) => {
    const entry = entryOf(unit)
    const unread = (entry?.unread ?? []).flatMap(({ kind, name }) => (kind === 'tools' ? name : []))
    return entry && [...entry.tools.map(({ name }) => String(name)), ...unread]
  })
  return lists.includes(undefined) ? undefined : [...new Set(lists.flatMap((list) => list ?? []))]
}

function inRules(
  { name, rules = {}, results = {} }: ServerConfig,
  tools: readonly string[] | undefined,
): Unmatched[] {
  if (tools === undefined) return []
  const { allow = [], deny = [], annotations = {}, tools: overrides = {} } = rules
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
    ['annotations', Object.keys(annotations), isMatched, of],
    ['tools', Object.keys(overrides), isTool, of],
    ['results.fence', results.fence ?? [], isMatched, of],
    ['results.select', Object.keys(results.select ?? {}), isMatched, of],
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

/** What patterns can match, and what an unmatched one could have meant. */
function createMatching(
  { servers: all, disabled = [] }: Configured,
  toolNames: ReadonlyMap<ServerConfig, readonly string[] | undefined>,
) {
  const names = [...all.map(({ name }) => name), ...disabled]
  const off = disabled.map((name) => ({ name }))
  const addresses = all.flatMap((server) =>
    (toolNames.get(server) ?? []).map((tool) => `${server.name}.${tool}`),
  )
  return {
    names,
    ofTools: { what: 'tool', names: [...addresses, ...names] },
    ofServers: { what: 'server', names },
    isServer: (pattern: string): boolean => names.some((name) => matchesAny(name, [pattern])),
    /** Settings of tools that are not known yet, or of a disabled server, may match. */
    isTool(text: string, fold: (text: string) => string = asWritten): boolean {
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
    },
  }
}

type Matching = ReturnType<typeof createMatching>

const asWritten = (text: string): string => text

function inProfile(
  path: string,
  { servers = [], tags = [], allow = [], deny = [], accounts = {} }: ProfileSettings,
  { servers: all }: Configured,
  { names, ofServers, ofTools, isServer, isTool }: Matching,
): Unmatched[] {
  const allTags = new Set(all.flatMap((server) => server.tags ?? []))
  const ofTags = { what: 'tag of an enabled server', names: [...allTags] }
  return unmatchedIn(path, [
    ['servers', servers, isServer, ofServers],
    ['tags', tags, (tag) => allTags.has(tag), ofTags],
    ['allow', allow, (pattern) => isTool(pattern), ofTools],
    ['deny', deny, (pattern) => isTool(pattern, folded), ofTools],
    ['accounts', Object.keys(accounts), (name) => names.includes(name), ofServers],
    ...Object.entries(accounts).flatMap(([name, allowed]): Setting[] => {
      const server = all.find((candidate) => candidate.name === name)
      if (server === undefined) return []
      const meant = { what: `account of ${name}`, names: accountsOf(server) }
      return [[`accounts.${name}`, allowed, (account) => meant.names.includes(account), meant]]
    }),
  ])
}

const accountsOf = ({ accounts = [] }: ServerConfig): string[] =>
  accounts.flatMap(({ account }) => account ?? [])

/** Callers that are not configured are named by who knows them. */
const callerKinds = ['token:', 'jwt:', 'session:', 'user:']

function inPermissions(
  { permissions = {}, profiles = {}, callers = {}, servers: all }: Configured,
  { ofServers, ofTools, isServer, isTool }: Matching,
  entryOf: EntryOf,
): Unmatched[] {
  const ofCallers = { what: 'caller', names: ['owner', ...Object.keys(callers), ...callerKinds] }
  /** Names of tokens and the like are not known here. */
  const isCaller = (pattern: string): boolean =>
    callerKinds.some((kind) => folded(pattern).startsWith(kind)) || isOneOf(ofCallers)(pattern)
  const entries = all.flatMap(unitsOf).map(entryOf)
  const known = entries.filter((entry) => entry !== undefined)
  const isKnown = known.length === entries.length
  const prompts = known.flatMap((entry) => entry.prompts.map(({ name }) => String(name)))
  const ofPrompts = { what: 'prompt', names: prompts }
  const uris = known.flatMap((entry) => [
    ...[...entry.resources, ...entry.skills].map(({ uri }) => String(uri)),
    ...entry.resourceTemplates.map(({ uriTemplate }) => String(uriTemplate).replace(/\{.*$/s, '')),
  ])
  const ofUris = { what: 'resource, and no scheme of one', names: uris }
  /** Servers may answer addresses that they do not list. */
  const isUri = (pattern: string): boolean => {
    const [begin = ''] = pattern.split('*')
    const scheme = folded(begin.slice(0, begin.indexOf(':') + 1))
    return scheme === '' || uris.some((uri) => folded(uri).startsWith(scheme))
  }
  const ofAccounts = { what: 'account', names: all.flatMap(accountsOf) }
  const ofProfiles = { what: 'profile', names: Object.keys(profiles) }
  const isOneOf =
    ({ names }: Meant) =>
    (pattern: string): boolean =>
      names.some((name) => deniesAny(name, [pattern]))
  return (['deny', 'ask', 'allow'] as const).flatMap((list) =>
    (permissions[list] ?? []).flatMap((rule, index) =>
      unmatchedIn(`aggregator.permissions.${list}[${index}]`, [
        [
          'servers',
          rule.servers ?? [],
          list === 'allow' ? isServer : isOneOf(ofServers),
          ofServers,
        ],
        [
          'tools',
          rule.tools ?? [],
          (pattern) => isTool(pattern, list === 'allow' ? asWritten : folded),
          ofTools,
        ],
        ['accounts', rule.accounts ?? [], isOneOf(ofAccounts), ofAccounts],
        ['profiles', rule.profiles ?? [], isOneOf(ofProfiles), ofProfiles],
        ['callers', rule.callers ?? [], isCaller, ofCallers],
        ['prompts', isKnown ? (rule.prompts ?? []) : [], isOneOf(ofPrompts), ofPrompts],
        ['resources', isKnown ? (rule.resources ?? []) : [], isUri, ofUris],
      ]),
    ),
  )
}

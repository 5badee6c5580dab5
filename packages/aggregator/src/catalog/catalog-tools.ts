import type { ServerConfig } from '#servers/config/server-config'
import type { JsonObject } from '#servers/protocol/message'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { CatalogEntry } from './entries/catalog-entry.ts'
import { beyondBounds } from './entries/within-bounds.ts'
import { exposeNames } from './policy/exposed-names.ts'
import { isAllowed, serverSetting, shapeTool, switchedOffBy } from './policy/tool-rules.ts'
import { type Held, promptKey } from './trust/review-tools.ts'
import { trustSetting } from './trust/trust.ts'
import type { Known, ViewOptions } from './view-options.ts'

/** A tool or prompt of one server, with the name that clients see. */
export interface CatalogTool {
  server: ServerConfig
  /** The name within its module. */
  name: string
  /** The name at the server. */
  upstreamName: string
  exposed: string
  /** The server's definition, with the configured name and description. */
  definition: JsonObject
  tags: readonly string[]
}

/** A tool that exists and cannot be called. Its description is not passed on. */
export interface AbsentTool {
  server: ServerConfig
  /** Reduced to plain characters. */
  name: string
  /** Why, as it follows “is”. */
  why: string
  /** What to do about it. */
  remedy: string
  /** Both, in a list. */
  reason: string
  /** The path of the setting that decides. */
  setting: string
  /** The definition exceeds the bounds of the catalog. */
  isUnread?: true
}

type UnnamedTool = Omit<CatalogTool, 'exposed'>

export function nameTools(
  modules: readonly Known[],
  options: ViewOptions,
): { tools: CatalogTool[]; absent: AbsentTool[]; units: ReadonlyMap<string, UnitTools> } {
  const units = new Map<string, UnitTools>()
  const merged = modules.map(({ units: members, standard }) => {
    for (const { unit, entry } of members)
      units.set(qualifiedName(unit), toolsOf(unit, entry, options))
    return mergedTools(members, standard, units)
  })
  const tools = merged.flatMap(({ tools }) => tools)
  const absent = merged.flatMap((unitTools) => unitTools.absent)
  return { tools: exposed(tools, options), absent, units }
}

/** The tools of a server with one of its accounts, or without accounts. */
export interface UnitTools {
  tools: readonly UnnamedTool[]
  absent: readonly AbsentTool[]
}

/**
 * The tools of a server with its default account, and those that only another account has, with that
 * one. If the default account was not queried yet, it is assumed to have the tools of the others.
 */
function mergedTools(
  members: Known['units'],
  standard: ServerConfig,
  units: ReadonlyMap<string, UnitTools>,
): UnitTools {
  const isKnown = members.some(({ unit }) => unit === standard)
  const names = new Set<string>()
  const merged = members.map(({ unit }) => {
    const { tools = [], absent = [] } = units.get(qualifiedName(unit)) ?? {}
    const isNew = ({ name }: { name: string }): boolean => !names.has(name)
    const more = { tools: tools.filter(isNew), absent: absent.filter(isNew) }
    for (const { name } of [...tools, ...absent]) names.add(name)
    return isKnown
      ? more
      : { ...more, tools: more.tools.map((tool) => ({ ...tool, server: standard })) }
  })
  return {
    tools: merged.flatMap(({ tools }) => tools),
    absent: merged.flatMap(({ absent }) => absent),
  }
}

function toolsOf(
  unit: ServerConfig,
  entry: CatalogEntry,
  { profile, trust }: ViewOptions,
): UnitTools {
  const names = new Set<string>()
  const absent: AbsentTool[] = []
  const review = trust.review(unit, entry)
  const leave = (name: string, hold: Held, setting: string): UnnamedTool[] => {
    absent.push({ server: unit, name: safeName(name), ...withReason(hold), setting })
    return []
  }
  const tools = entry.tools.flatMap((tool): UnnamedTool[] => {
    const { name } = tool
    if (typeof name !== 'string' || name === '' || names.has(`\0${name}`)) return []
    names.add(`\0${name}`)
    const { name: called, definition, tags } = shapeTool(name, tool, unit)
    if (!isSeen([called, name], definition, unit, profile)) return []
    const off = switchedOffBy(name, unit)
    if (off !== undefined)
      return leave(called, { why: `disabled by ${off}`, remedy: 'Set it to true.' }, off)
    const hold = review.get(name)
    if (hold !== undefined) return leave(called, hold, trustSetting)
    if (names.has(called))
      return leave(
        called,
        { why: `not unique: ${unit.name} has two tools of this name`, remedy: 'Rename one.' },
        serverSetting(unit, `tools.${name}.name`),
      )
    names.add(called)
    return [{ server: unit, name: called, upstreamName: name, definition, tags }]
  })
  return { tools, absent: [...absent, ...unreadTools(unit, entry, names, profile)] }
}

const withReason = ({ why, remedy }: Held) => ({
  ...{ why, remedy },
  reason: `${why}. ${remedy.replace(/\.$/, '')}`,
})

const notRead = (why: string) => ({
  ...{ why: `not read: ${why}`, reason: `not read: ${why}` },
  remedy: 'Its server must list it within the bounds.',
})

const isSeen = (
  names: readonly string[],
  definition: JsonObject,
  unit: ServerConfig,
  profile: ViewOptions['profile'],
): boolean =>
  isAllowed(names, definition, unit) && profile.exclusionOf(unit, names, definition) === undefined

/** Tools that exceeded the bounds; those that were only counted are combined into one. */
function unreadTools(
  unit: ServerConfig,
  { unread = [], beyond = {} }: CatalogEntry,
  names: ReadonlySet<string>,
  profile: ViewOptions['profile'],
): AbsentTool[] {
  const setting = serverSetting(unit)
  const absent = unread.flatMap(({ kind, name, why }): AbsentTool[] => {
    if (kind !== 'tools') return []
    const { name: called } = shapeTool(name, {}, unit)
    if (names.has(called) || !isSeen([called, name], {}, unit, profile)) return []
    return [{ server: unit, name: safeName(called), ...notRead(why), setting, isUnread: true }]
  })
  if (beyond.tools === undefined) return absent
  const name = `${beyond.tools}_more_tools`
  return [...absent, { server: unit, name, ...notRead(beyondBounds()), setting, isUnread: true }]
}

export function namePrompts(modules: readonly Known[], options: ViewOptions): CatalogTool[] {
  const prompts = modules.flatMap(({ units, standard }) => {
    const first = units.find(({ unit }) => unit === standard)
    if (first === undefined) return []
    const names = new Set<unknown>()
    const held = options.trust.review(first.unit, first.entry)
    return first.entry.prompts.flatMap((definition): UnnamedTool[] => {
      const { name } = definition
      if (typeof name !== 'string' || name === '' || names.has(name)) return []
      if (held.has(promptKey(name))) return []
      names.add(name)
      return [{ server: first.unit, name, upstreamName: name, definition, tags: [] }]
    })
  })
  return exposed(prompts, { ...options, reserved: [], claims: undefined })
}

function exposed(
  tools: readonly UnnamedTool[],
  options: Pick<ViewOptions, 'withServer' | 'reserved' | 'claims'>,
): CatalogTool[] {
  const owned = tools.map(({ server, name }) => ({ server: server.name, name }))
  const nameOf = exposeNames(owned, options)
  return tools.map((tool) => ({
    ...tool,
    exposed: nameOf({ server: tool.server.name, name: tool.name }),
  }))
}

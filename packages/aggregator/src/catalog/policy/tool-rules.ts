import type { ToolOverride, ToolRules } from '#servers/config/tool-rules'
import type { JsonObject } from '#servers/protocol/message'
import { deniesAny, folded, matchesAny, namesInRules } from './patterns.ts'

/** A tool with its configured name and description. */
export interface ShapedTool {
  name: string
  definition: JsonObject
  tags: readonly string[]
}

/** The server whose rules these are. */
interface Ruled {
  name: string
  rules?: ToolRules | undefined
}

/** The path of a setting of a server in the configuration. */
export const serverSetting = ({ name }: Ruled, ...keys: string[]): string =>
  ['mcpServers', name, ...keys].join('.')

/** A list or a flag that hides tools. */
export const hidingKeys = ['allow', 'deny', 'readOnly'] as const
export type HidingKey = (typeof hidingKeys)[number]

/** Why a client cannot see a tool. */
export interface Hiding {
  setting: string
  reason: string
  remedy: string
}

/** The same words wherever a hidden tool is explained; `setting` is the path of the list or flag. */
export const hidingBy = (setting: string): Hiding => ({
  setting,
  reason: hidingReasons[setting.slice(setting.lastIndexOf('.') + 1)] ?? '',
  remedy: 'Change the setting in the configuration; running aggregators follow.',
})

const hidingReasons: Readonly<Record<string, string>> = {
  allow: 'it matches no pattern of this list',
  deny: 'it matches a pattern of this list',
  readOnly: 'it is not marked as read-only',
  servers: 'its server matches no pattern of this list',
  tags: 'its server has no tag of this list',
  accounts: 'no account of its server is in this list',
}

/** The rule of a server that hides a tool with these names; undefined if none does. */
export function hidingRule(
  names: readonly string[],
  definition: JsonObject,
  { name: server, rules = {} }: Ruled,
): HidingKey | undefined {
  const { allow, deny, readOnly } = rules
  if ((allow ?? deny) !== undefined) {
    const all = namesInRules(server, names)
    if (allow && !all.some((name) => matchesAny(name, allow))) return 'allow'
    if (deny && all.some((name) => deniesAny(name, deny))) return 'deny'
  }
  return readOnly !== true || saysItReadsOnly(definition) ? undefined : 'readOnly'
}

/** True if the rules of a server allow a tool under any of its names. */
export const isAllowed = (...tool: Parameters<typeof hidingRule>): boolean =>
  hidingRule(...tool) === undefined

/** Applies the configured name, description and tags to a tool. */
export function shapeTool(name: string, definition: JsonObject, unit: Ruled): ShapedTool {
  const override = overrideOf(name, unit)
  const tags = override?.tags ?? []
  const hinted = withHints(name, definition, unit)
  if (override?.name === undefined && override?.description === undefined)
    return { name, definition: hinted, tags }
  const { name: shownName = name, description } = override
  return {
    name: shownName,
    definition: {
      ...hinted,
      name: shownName,
      ...(description !== undefined && { description }),
    },
    tags,
  }
}

/** With the hints that the configuration has for it. */
function withHints(name: string, definition: JsonObject, { name: server, rules }: Ruled) {
  if (rules?.annotations === undefined) return definition
  const names = namesInRules(server, [name])
  const hints = Object.entries(rules.annotations)
    .filter(([pattern]) => names.some((each) => matchesAny(each, [pattern])))
    .map(([, hint]) => hint)
  if (hints.length === 0) return definition
  const { annotations } = definition
  return { ...definition, annotations: Object.assign({}, annotations, ...hints) as JsonObject }
}

/** The setting that turns a tool off, if one does; its key ignores case, like denials. */
export function switchedOffBy(name: string, unit: Ruled): string | undefined {
  const off = Object.entries(unit.rules?.tools ?? {}).filter(([, { enabled }]) => enabled === false)
  if (off.length === 0) return undefined
  const names = namesInRules(unit.name, [name]).map(folded)
  const key = off.find(([key]) => names.includes(folded(key)))?.[0]
  return key === undefined ? undefined : serverSetting(unit, 'tools', key, 'enabled')
}

/** True if the rules of its server let any client have a tool, which has this name there. */
export function isOffered(name: string, definition: JsonObject, unit: Ruled): boolean {
  if (unit.rules === undefined) return true
  const alias = overrideOf(name, unit)?.name
  const names = alias === undefined ? [name] : [alias, name]
  return (
    isAllowed(names, withHints(name, definition, unit), unit) &&
    switchedOffBy(name, unit) === undefined
  )
}

function overrideOf(name: string, { name: server, rules }: Ruled): ToolOverride | undefined {
  const { tools } = rules ?? {}
  if (tools === undefined) return undefined
  const key = namesInRules(server, [name]).find((candidate) => Object.hasOwn(tools, candidate))
  return key === undefined ? undefined : tools[key]
}

export function saysItReadsOnly({ annotations }: JsonObject): boolean {
  return (annotations as JsonObject | undefined)?.['readOnlyHint'] === true
}

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

/** True if the rules of a server allow a tool under any of its names. */
export function isAllowed(
  names: readonly string[],
  definition: JsonObject,
  { name: server, rules = {} }: Ruled,
): boolean {
  const { allow, deny, readOnly } = rules
  if ((allow ?? deny) !== undefined) {
    const all = namesInRules(server, names)
    if (allow && !all.some((name) => matchesAny(name, allow))) return false
    if (deny && all.some((name) => deniesAny(name, deny))) return false
  }
  return readOnly !== true || saysItReadsOnly(definition)
}

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

/** True if an override turns the tool off; its key ignores case, like denials. */
export function isSwitchedOff(name: string, { name: server, rules }: Ruled): boolean {
  const off = Object.entries(rules?.tools ?? {}).filter(([, { enabled }]) => enabled === false)
  if (off.length === 0) return false
  const names = namesInRules(server, [name]).map(folded)
  return off.some(([key]) => names.includes(folded(key)))
}

/** True if the rules of its server let any client have a tool, which has this name there. */
export function isOffered(name: string, definition: JsonObject, unit: Ruled): boolean {
  if (unit.rules === undefined) return true
  const alias = overrideOf(name, unit)?.name
  const names = alias === undefined ? [name] : [alias, name]
  return isAllowed(names, withHints(name, definition, unit), unit) && !isSwitchedOff(name, unit)
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

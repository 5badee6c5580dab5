import type { ToolOverride, ToolRules } from '../../config/tool-rules.ts'
import type { JsonObject } from '../../protocol/message.ts'
import { matchesAny } from './patterns.ts'

/** A tool with its configured name and description. */
export interface ShapedTool {
  name: string
  definition: JsonObject
  tags: readonly string[]
}

/** True if the rules allow a tool under any of its names. */
export function isAllowed(
  names: readonly string[],
  definition: JsonObject,
  rules: ToolRules,
): boolean {
  const { allow, deny, readOnly } = rules
  if (allow && !names.some((name) => matchesAny(name, allow))) return false
  if (deny && names.some((name) => matchesAny(name, deny))) return false
  return readOnly !== true || saysItReadsOnly(definition)
}

/** Applies the configured name, description and tags to a tool. */
export function shapeTool(
  name: string,
  definition: JsonObject,
  rules: ToolRules | undefined,
): ShapedTool {
  const override = overrideOf(name, rules)
  const tags = override?.tags ?? []
  if (override?.name === undefined && override?.description === undefined)
    return { name, definition, tags }
  const { name: shownName = name, description } = override
  return {
    name: shownName,
    definition: {
      ...definition,
      name: shownName,
      ...(description !== undefined && { description }),
    },
    tags,
  }
}

export const isSwitchedOff = (name: string, rules: ToolRules | undefined): boolean =>
  overrideOf(name, rules)?.enabled === false

function overrideOf(name: string, rules: ToolRules | undefined): ToolOverride | undefined {
  const { tools = {} } = rules ?? {}
  return Object.hasOwn(tools, name) ? tools[name] : undefined
}

export function saysItReadsOnly({ annotations }: JsonObject): boolean {
  return (annotations as JsonObject | undefined)?.['readOnlyHint'] === true
}

import type { ToolOverride, ToolRules } from '../../config/tool-rules.ts'
import type { Fields } from '../../protocol/message.ts'
import { matchesAny } from './patterns.ts'

/** A tool as it is shown. */
export interface ShapedTool {
  name: string
  definition: Fields
  tags: readonly string[]
}

/** Whether a tool is there for anyone, by both its names. */
export function isAllowed(names: readonly string[], definition: Fields, rules: ToolRules): boolean {
  const { allow, deny, readOnly } = rules
  if (allow && !names.some((name) => matchesAny(name, allow))) return false
  if (deny && names.some((name) => matchesAny(name, deny))) return false
  return readOnly !== true || saysItReadsOnly(definition)
}

/** A tool under the name and with the words its owner wants. */
export function shapeTool(
  name: string,
  definition: Fields,
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

export function saysItReadsOnly({ annotations }: Fields): boolean {
  return (annotations as Fields | undefined)?.['readOnlyHint'] === true
}

import type { Fields } from '../upstream/connection.ts'
import { matchesAny } from './patterns.ts'

/** Which tools of one server there are for anyone, and how they are shown. */
export interface ToolRules {
  /** Patterns of names; without them all. */
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  /** Only tools that say they change nothing. */
  readOnly?: boolean | undefined
  /** By the name the server gives the tool. */
  tools?: Readonly<Record<string, ToolOverride>> | undefined
}

export interface ToolOverride {
  /** Another name for it. */
  name?: string | undefined
  description?: string | undefined
  tags?: readonly string[] | undefined
  /** Not there until it is switched on again; searches say so. */
  enabled?: boolean | undefined
}

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

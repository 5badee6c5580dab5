import { z } from 'zod'

const hintNames = ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const

/** What a tool says of itself in its annotations. MCP has a default for each hint. */
export const declaredHints = {
  declared: z
    .array(z.enum(hintNames))
    .optional()
    .describe('The hints of a tool, without defaults.'),
  isReadOnly: z.boolean().describe('It declares to change nothing.'),
  isDestructive: z.boolean().describe('It may destroy something: declared, or by default.'),
  isOpenWorld: z.boolean().describe('It may reach the web, for example: declared, or by default.'),
}

/** None for a skill, or the content of an app or skill. A contradictory tool is destructive. */
export function hintsOf(tool: string, { name, annotations }: Readonly<Record<string, unknown>>) {
  if (name !== tool || tool.endsWith('#content'))
    return { isReadOnly: false, isDestructive: false, isOpenWorld: false }
  const hints: Readonly<Record<string, unknown>> = Object(annotations)
  const { readOnlyHint, destructiveHint = readOnlyHint !== true, openWorldHint } = hints
  return {
    declared: hintNames.filter((hint) => typeof hints[hint] === 'boolean'),
    isReadOnly: readOnlyHint === true && destructiveHint === false,
    isDestructive: destructiveHint !== false,
    isOpenWorld: openWorldHint !== false,
  }
}

import { z } from 'zod'
import { toolHints } from './tool-hints.ts'

export const names = z.array(z.string().min(1)).max(1_000)

const toolOverride = z.strictObject({
  /** The name that clients see. */
  name: z
    .string()
    .regex(
      /^[a-zA-Z][\w-]{0,59}$/,
      'must have at most 60 letters, digits, "_" and "-" and begin with a letter',
    )
    .optional(),
  description: z.string().optional(),
  tags: names.optional(),
  enabled: z.boolean().optional().describe('False hides the tool; searches mention it.'),
})

export type ToolOverride = z.output<typeof toolOverride>

/** Filters and changes the tools of one server, for all clients. */
export const toolRules = z.strictObject({
  allow: names.optional().describe('Patterns of names. Without it: all tools.'),
  deny: names.optional(),
  readOnly: z.boolean().optional().describe('Only tools that are marked as read-only.'),
  annotations: z
    .record(z.string().min(1), toolHints)
    .optional()
    .describe('Hints that replace those of its tools, by patterns of names; later ones win.'),
  tools: z
    .record(z.string(), toolOverride)
    .optional()
    .describe("By the tool's name at the server."),
})

export type ToolRules = z.output<typeof toolRules>

import { z } from 'zod'

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
  /** False hides the tool; searches mention it. */
  enabled: z.boolean().optional(),
})

export type ToolOverride = z.output<typeof toolOverride>

/** Filters and changes the tools of one server, for all clients. */
export const toolRules = z.strictObject({
  /** Patterns of names. Without it: all tools. */
  allow: names.optional(),
  deny: names.optional(),
  /** Only tools that are marked as read-only. */
  readOnly: z.boolean().optional(),
  /** By the tool's name at the server. */
  tools: z.record(z.string(), toolOverride).optional(),
})

export type ToolRules = z.output<typeof toolRules>

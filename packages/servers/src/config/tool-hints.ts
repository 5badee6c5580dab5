import { z } from 'zod'

/** The hints of MCP, by their names there. */
export const toolHints = z.strictObject({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
})

export type ToolHints = z.output<typeof toolHints>

import { z } from 'zod'

const waitingTool = z
  .object({
    tool: z.string(),
    hash: z.string().describe('Hash of the definition. Pass it back to approve exactly this one.'),
    reasons: z.array(z.string()),
    seenAt: z.string(),
    isNew: z.boolean().describe('Whether no earlier definition was pinned.'),
    diff: z.array(z.string()).describe('Removed and added lines, which begin with "- " and "+ ".'),
    definition: z.record(z.string(), z.unknown()).optional().describe('Absent if it is too long.'),
  })
  .meta({ id: 'WaitingTool' })

export const pinnedServer = z
  .object({
    server: z.string(),
    source: z.string().describe('The program or URL of the server.'),
    pinned: z.int(),
    waiting: z.array(waitingTool),
  })
  .meta({ id: 'PinnedServer' })

export const approval = z
  .object({
    server: z.string(),
    tools: z
      .array(z.object({ tool: z.string(), hash: z.string() }))
      .min(1)
      .max(1_000),
  })
  .meta({ id: 'Approval' })

export const approved = z
  .object({
    approved: z.array(z.string()),
    changed: z
      .array(z.string())
      .describe('Tools whose definition changed since. Review them again.'),
  })
  .meta({ id: 'Approved' })

export const pinReset = z
  .object({
    server: z.string(),
    tools: z.array(z.string()).optional().describe('Default: all tools of the server.'),
  })
  .meta({ id: 'PinReset' })

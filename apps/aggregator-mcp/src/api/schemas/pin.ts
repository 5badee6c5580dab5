import { z } from 'zod'

const waitingTool = z
  .object({
    tool: z.string(),
    hash: z.string().describe('Of what was seen; give it back to approve just that.'),
    reasons: z.array(z.string()),
    seenAt: z.string(),
    isNew: z.boolean().describe('Nothing was pinned before.'),
    diff: z.array(z.string()).describe('Lines that begin with "- " or "+ ": what was, what is.'),
    definition: z.record(z.string(), z.unknown()).optional().describe('Left out when it is long.'),
  })
  .meta({ id: 'WaitingTool' })

export const pinnedServer = z
  .object({
    server: z.string(),
    source: z.string().describe('Of which program or address.'),
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
    changed: z.array(z.string()).describe('Not what was looked at any more; look again.'),
  })
  .meta({ id: 'Approved' })

export const pinReset = z
  .object({
    server: z.string(),
    tools: z.array(z.string()).optional().describe('All of the server if absent.'),
  })
  .meta({ id: 'PinReset' })

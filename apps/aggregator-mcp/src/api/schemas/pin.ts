import { z } from 'zod'
import { named } from './named.ts'

const waitingTool = named('WaitingTool', {
  tool: z.string(),
  hash: z.string().describe('Hash of the definition. Pass it back to approve exactly this one.'),
  reasons: z.array(z.string()),
  seenAt: z.string(),
  isNew: z.boolean().describe('Whether no earlier definition was pinned.'),
  diff: z.array(z.string()).describe('Removed and added lines, which begin with "- " and "+ ".'),
  definition: z.record(z.string(), z.unknown()).optional().describe('Absent if it is too long.'),
})

export const pinnedServer = named('PinnedServer', {
  server: z.string(),
  source: z.string().describe('The program or URL of the server.'),
  pinned: z.int(),
  waiting: z.array(waitingTool),
})

export const approval = named('Approval', {
  server: z.string(),
  tools: z
    .array(z.object({ tool: z.string(), hash: z.string() }))
    .min(1)
    .max(1_000),
})

export const approved = named('Approved', {
  approved: z.array(z.string()),
  changed: z.array(z.string()).describe('Tools whose definition changed since. Review them again.'),
})

export const pinReset = named('PinReset', {
  server: z.string(),
  tools: z.array(z.string()).optional().describe('Default: all tools of the server.'),
})

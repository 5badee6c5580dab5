import { z } from 'zod'
import { modeTokens } from './usage.ts'

export const profile = z
  .object({
    name: z.string().optional().describe('Absent: all there is, for those who name no profile.'),
    description: z.string().optional(),
    isDefault: z.boolean(),
    rules: z.record(z.string(), z.unknown()).describe('As configured.'),
    servers: z.array(z.string()),
    tools: z.int(),
    listTokens: modeTokens,
    callers: z.array(z.string()).describe('Configured callers that have it.'),
    path: z.string().describe('Where MCP is served with it.'),
  })
  .meta({ id: 'Profile' })

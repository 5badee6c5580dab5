import { z } from 'zod'
import { named } from './named.ts'
import { modeTokens } from './usage.ts'

export const profile = named('Profile', {
  name: z
    .string()
    .optional()
    .describe('Absent for requests without a profile, which can access everything.'),
  description: z.string().optional(),
  isDefault: z.boolean(),
  rules: z.record(z.string(), z.unknown()).describe('The rules in the configuration.'),
  servers: z.array(z.string()),
  tools: z.int(),
  listTokens: modeTokens,
  callers: z.array(z.string()).describe('Configured callers with this profile.'),
  path: z.string().describe('Path of its MCP endpoint.'),
})

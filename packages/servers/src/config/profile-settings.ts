import { z } from 'zod'
import { names } from './tool-rules.ts'

/** Names become parts of URLs and file names. */
export const profileName = z
  .string()
  .regex(
    /^[a-zA-Z0-9][\w-]{0,39}$/,
    'must be a name of at most 40 letters, digits, "_" and "-" that begins with a letter or digit',
  )

export const profile = z.strictObject({
  description: z.string().optional(),
  servers: names
    .optional()
    .describe('Patterns of server names. Without "servers" and "tags": all servers.'),
  tags: names.optional().describe('Servers with one of these tags.'),
  allow: names
    .optional()
    .describe('Patterns of "SERVER.TOOL"; a server alone means all its tools.'),
  deny: names.optional(),
  readOnly: z.boolean().optional().describe('Only tools that are marked as read-only.'),
  accounts: z
    .record(z.string(), names)
    .optional()
    .describe(
      'The accounts of a server that may be used, the default first. For servers not listed: all.',
    ),
})

/** A named subset of the servers and tools. Clients with a profile cannot see or call the rest. */
export type ProfileSettings = z.output<typeof profile>

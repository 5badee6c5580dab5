import { z } from 'zod'

export const scope = z.enum(['mcp', 'console:read', 'console'])

/** Who asks, and what runs here. */
export const session = z
  .object({
    kind: z.string().describe('owner, token, jwt or session.'),
    name: z.string().optional(),
    scopes: z.array(scope),
    version: z.string(),
    startedAt: z.string(),
    mode: z.enum(['meta', 'list', 'auto', 'full']),
    mcpUrl: z.string(),
    config: z.array(z.string()),
    clients: z.int().describe('Connected to the MCP endpoint now.'),
    journalLoss: z
      .object({ lines: z.int(), said: z.string(), time: z.string() })
      .optional()
      .describe('Lines of the journal that could not be written; why and when, of the last.'),
  })
  .meta({ id: 'Session' })

/** Empty for whoever comes with a bearer token. */
export const signIn = z
  .object({
    code: z.string().max(200).optional().describe('Of the link of aggregator-mcp console.'),
  })
  .meta({ id: 'SignIn' })

export const signedIn = z
  .object({ proof: z.string().describe('For the header x-pith-proof, beside the cookie.') })
  .meta({ id: 'SignedIn' })

/** An aggregator that runs on this machine with the same state folder. */
export const runningAggregator = z
  .object({
    pid: z.int(),
    isThis: z.boolean(),
    startedAt: z.string(),
    config: z.array(z.string()),
    mode: z.string(),
    http: z.string().optional(),
    profile: z.string().optional(),
    clients: z.int(),
    servers: z.int(),
    calls: z.int(),
  })
  .meta({ id: 'RunningAggregator' })

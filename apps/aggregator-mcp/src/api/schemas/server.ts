import { z } from 'zod'

const instance = z
  .object({
    state: z.enum(['stopped', 'starting', 'ready', 'down']),
    calls: z.int(),
    starts: z.int(),
    failures: z.int(),
    retryInMs: z.number().describe('Until a server that is down is tried again.'),
    lastError: z.string().optional(),
  })
  .meta({ id: 'Instance' })

const serverState = z
  .enum(['idle', 'starting', 'ready', 'down', 'needs_sign_in', 'halted', 'disabled', 'unusable'])
  .describe(
    'idle: started by the next call. halted: stopped here until someone starts it. disabled: switched off in the configuration. unusable: the configuration is wrong; see problem.',
  )

/** A server, or a server with one of its accounts. */
export const server = z
  .object({
    unit: z.string().describe('The name, with the account where there are several: name@account.'),
    name: z.string(),
    account: z.string().optional(),
    type: z.enum(['stdio', 'http', 'sse']).optional().describe('Absent of one that is disabled.'),
    state: serverState,
    description: z.string().optional(),
    tags: z.array(z.string()),
    launch: z.string().describe('The command with its arguments, or the host. No secrets.'),
    problem: z.string().optional(),
    era: z.enum(['modern', 'legacy']).optional(),
    serverInfo: z.object({ name: z.string(), version: z.string().optional() }).optional(),
    instances: z.array(instance),
    calls: z.int(),
    starts: z.int(),
    lastError: z.string().optional(),
    isKnown: z.boolean().describe('It was asked what it offers, now or earlier.'),
    tools: z.int(),
    heldTools: z.int().describe('Tools that are not shown to clients: held, renamed away, denied.'),
    prompts: z.int(),
    resources: z.int(),
    tokens: z.int().describe('What the definitions of its tools cost a client without us.'),
    signIn: z.enum(['none', 'signed in', 'expired']).optional().describe('HTTP only.'),
    sandbox: z.string().optional().describe('What is in force, in words.'),
  })
  .meta({ id: 'Server' })

export const serverDetail = server
  .extend({
    stderr: z.array(z.string()).describe('The last lines, oldest first, without secrets.'),
    instructions: z.string().optional(),
  })
  .meta({ id: 'ServerDetail' })

export const checkup = z
  .object({ isWell: z.boolean(), lines: z.array(z.string()) })
  .meta({ id: 'Checkup' })

/** An entry as it stands in `mcpServers` of the configuration. */
export const newServer = z
  .object({
    name: z.string().min(1).max(64),
    entry: z.record(z.string(), z.unknown()).describe('As in "mcpServers" of the configuration.'),
    replace: z.boolean().optional().describe('Put it in place of one of that name.'),
  })
  .meta({ id: 'NewServer' })

export type DescribedServer = z.input<typeof server>

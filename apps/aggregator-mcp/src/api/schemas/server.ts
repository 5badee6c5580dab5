import { z } from 'zod'
import { serverStates } from '../../open/server-state.ts'
import { named } from './named.ts'

const instance = named('Instance', {
  state: z.enum(['stopped', 'starting', 'ready', 'down']),
  calls: z.int(),
  starts: z.int(),
  failures: z.int(),
  retryInMs: z.number().describe('Milliseconds until a server that is down is retried.'),
  lastError: z.string().optional(),
})

const serverState = z
  .enum([...serverStates, 'disabled'])
  .describe(
    'idle: the next call starts it. halted: stopped until it is started manually. disabled: disabled in the configuration. unusable: invalid configuration, see problem.',
  )

/** A unit: a server, or a server with one of its accounts. */
export const server = named('Server', {
  unit: z.string().describe('The name, or name@account for a server with accounts.'),
  name: z.string(),
  account: z.string().optional(),
  type: z.enum(['stdio', 'http', 'sse']).optional().describe('Absent if the server is disabled.'),
  state: serverState,
  description: z.string().optional(),
  tags: z.array(z.string()),
  launch: z.string().describe('The command with its arguments, or the host. Secrets are redacted.'),
  problem: z.string().optional(),
  era: z.enum(['modern', 'legacy']).optional(),
  serverInfo: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  instances: z.array(instance),
  calls: z.int(),
  starts: z.int(),
  lastError: z.string().optional(),
  isKnown: z.boolean().describe('Whether its tools are known, from this or an earlier run.'),
  tools: z.int(),
  heldTools: z
    .int()
    .describe('Tools that clients cannot call: held, disabled, unread, or with a duplicate name.'),
  prompts: z.int(),
  resources: z.int(),
  tokens: z
    .int()
    .describe('Tokens that the definitions of its tools would cost a client without Pith.'),
  signIn: z.enum(['none', 'signed in', 'expired']).optional().describe('Servers over HTTP only.'),
  sandbox: z.string().optional().describe('The effective sandbox, in words.'),
})

export const serverDetail = server
  .extend({
    stderr: z.array(z.string()).describe('The last lines, oldest first. Secrets are redacted.'),
    instructions: z.string().optional(),
  })
  .meta({ id: 'ServerDetail' })

export const checkup = named('Checkup', { isHealthy: z.boolean(), lines: z.array(z.string()) })

/** An entry of `mcpServers` in the configuration. */
export const newServer = named('NewServer', {
  name: z.string().min(1).max(64),
  entry: z
    .record(z.string(), z.unknown())
    .describe('An entry of "mcpServers" in the configuration.'),
  replace: z.boolean().optional().describe('Replace a server of the same name.'),
})

export type DescribedServer = z.input<typeof server>

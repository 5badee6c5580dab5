import { qualifiedName, type ServerConfig, withoutFence } from '@pith-mcp/aggregator'
import { estimateTokens } from '@pith-mcp/paginator'
import { z } from 'zod'
import { headlineOf, serverStates, stateOf } from '../open/server-state.ts'
import { type OperationContext, ownerView } from './context.ts'
import { component } from './operation.ts'

const instance = component('Instance', {
  state: z.enum(['stopped', 'starting', 'ready', 'down']),
  calls: z.int(),
  starts: z.int(),
  failures: z.int(),
  retryInMs: z.number().describe('Milliseconds until a server that is down is retried.'),
  lastError: z.string().optional(),
  pid: z.int().optional().describe('Of its process; of a sandbox, if it has one.'),
  readyAt: z.string().optional().describe('Since when it is ready, in ISO 8601.'),
  memory: z
    .int()
    .optional()
    .describe(
      'Bytes of resident memory of the process and its children, on Linux. In the details.',
    ),
})

const serverState = z
  .enum([...serverStates, 'disabled'])
  .describe(
    'idle: the next call starts it. halted: stopped until it is started manually. disabled: disabled in the configuration. unusable: invalid configuration, see problem.',
  )

/** A unit: a server, or a server with one of its accounts. */
export const server = component('Server', {
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
    stderr: z
      .array(z.object({ time: z.string(), text: z.string() }))
      .describe('The last lines, oldest first. Secrets are redacted.'),
    stderrTotal: z.int().describe('Lines since the aggregator started.'),
    instructions: z.string().optional(),
  })
  .meta({ id: 'ServerDetail' })

export const checkup = component('Checkup', { isHealthy: z.boolean(), lines: z.array(z.string()) })

/** An entry of `mcpServers` in the configuration. */
export const newServer = component('NewServer', {
  name: z.string().min(1).max(64),
  entry: z
    .record(z.string(), z.unknown())
    .describe('An entry of "mcpServers" in the configuration.'),
  replace: z.boolean().optional().describe('Replace a server of the same name.'),
  acceptsRisks: z
    .boolean()
    .optional()
    .describe('A person has accepted what the answer 409 "risks" said.'),
})

export type DescribedServer = z.input<typeof server>

const costs = new WeakMap<object, number>()

/** Estimated tokens of a value as JSON. Cached by object. */
export function costOf(definition: object): number {
  const cachedCost = costs.get(definition)
  const cost = cachedCost ?? estimateTokens(JSON.stringify(definition))
  costs.set(definition, cost)
  return cost
}

/** The current state of a unit. */
export function describeServer(unit: ServerConfig, context: OperationContext): DescribedServer {
  const { gateway, deps } = context.aggregator
  const { redact } = deps.recording
  const status = gateway.fleet.statusOf(unit)
  const entry = gateway.catalog.entryOf(qualifiedName(unit))
  const visible = ownerView(context).unitTools(unit)
  const info = entry?.serverInfo
  return {
    unit: qualifiedName(unit),
    name: unit.name,
    account: unit.account,
    type: unit.type,
    state: stateOf(unit, gateway),
    description: unit.description,
    tags: [...(unit.tags ?? [])],
    launch: redact(launchOf(unit)).slice(0, 500),
    problem: unit.problem,
    era: status.era,
    serverInfo: info && {
      name: String(info['name'] ?? ''),
      version: info['version'] === undefined ? undefined : String(info['version']),
    },
    instances: status.instances.map(({ stderr: _, needsSignIn: __, readyAt, ...fields }) => ({
      ...fields,
      ...(readyAt && { readyAt: new Date(readyAt).toISOString() }),
      lastError: fields.lastError && withoutFence(fields.lastError),
      retryInMs: Math.round(fields.retryInMs),
    })),
    calls: status.calls,
    starts: status.starts,
    lastError: headlineOf(status.instances),
    isKnown: entry !== undefined,
    tools: visible?.tools.length ?? 0,
    heldTools: gateway.trust.waiting(unit, entry).length,
    prompts: entry?.prompts.length ?? 0,
    resources: entry?.resources.length ?? 0,
    tokens: (entry?.tools ?? []).reduce((sum, definition) => sum + costOf(definition), 0),
  }
}

/** A server that is disabled in the configuration. */
export const describeDisabled = (name: string): DescribedServer => ({
  unit: name,
  name,
  state: 'disabled',
  tags: [],
  launch: '',
  instances: [],
  calls: 0,
  starts: 0,
  isKnown: false,
  tools: 0,
  heldTools: 0,
  prompts: 0,
  resources: 0,
  tokens: 0,
})

/** Only the origin of a URL: the rest may hold a key, or variables that are resolved when it is used. */
function launchOf(unit: ServerConfig): string {
  if (unit.type === 'stdio') return [unit.command, ...unit.args].join(' ')
  if (!URL.canParse(unit.url)) return 'over HTTP'
  return new URL(unit.url).origin
}

import { type ServerConfig, unitName, withoutFence } from '@pith-mcp/aggregator'
import { estimateTokens } from '@pith-mcp/paginator'
import type { DescribedServer } from '../schemas/server.ts'
import type { ApiContext } from './context.ts'

type Status = ReturnType<ApiContext['aggregator']['gateway']['fleet']['statusOf']>

const costs = new WeakMap<object, number>()

/** Estimated tokens of a value as JSON. Cached by object. */
export function costOf(definition: object): number {
  const known = costs.get(definition)
  const cost = known ?? estimateTokens(JSON.stringify(definition))
  costs.set(definition, cost)
  return cost
}

/** The current state of a unit. */
export function describeServer(unit: ServerConfig, context: ApiContext): DescribedServer {
  const { gateway, deps } = context.aggregator
  const { redact } = deps.recording
  const status = gateway.fleet.statusOf(unit)
  const entry = gateway.catalog.entryOf(unitName(unit), '{}')
  const visible = ownerView(context).unitTools(unit)
  const info = entry?.serverInfo
  return {
    unit: unitName(unit),
    name: unit.name,
    account: unit.account,
    type: unit.type,
    state: stateOf(unit, status, gateway.fleet.control.isStopped(unitName(unit))),
    description: unit.description,
    tags: [...(unit.tags ?? [])],
    launch: redact(launchOf(unit)).slice(0, 500),
    problem: unit.problem,
    era: status.era,
    serverInfo: info && {
      name: String(info['name'] ?? ''),
      version: info['version'] === undefined ? undefined : String(info['version']),
    },
    instances: status.instances.map(({ stderr: _, needsSignIn: __, ...shown }) => ({
      ...shown,
      lastError: shown.lastError && withoutFence(shown.lastError),
      retryInMs: Math.round(shown.retryInMs),
    })),
    calls: status.calls,
    starts: status.starts,
    lastError: lastErrorOf(status),
    isKnown: entry !== undefined,
    tools: visible?.tools.length ?? 0,
    heldTools: visible?.absent.length ?? 0,
    prompts: entry?.prompts.length ?? 0,
    resources: entry?.resources.length ?? 0,
    tokens: (entry?.tools ?? []).reduce((sum, definition) => sum + costOf(definition), 0),
  }
}

function lastErrorOf({ instances }: Status): string | undefined {
  const found = instances.find(({ lastError }) => lastError !== undefined)?.lastError
  return found && withoutFence(found)
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

/** Everything, as the owner sees it. */
const ownerView = ({ aggregator: { gateway }, ownerSession }: ApiContext) =>
  gateway.viewFor({ session: ownerSession, capabilities: {} })

/** The state of the best instance: a server that works for one client works. */
function stateOf(
  unit: ServerConfig,
  { instances }: Status,
  isStopped: boolean,
): DescribedServer['state'] {
  if (isStopped) return 'halted'
  if (unit.problem !== undefined) return 'unusable'
  const states = instances.map(({ state }) => state)
  if (states.includes('ready')) return 'ready'
  if (states.includes('starting')) return 'starting'
  if (instances.some(({ needsSignIn }) => needsSignIn)) return 'needs_sign_in'
  return states.includes('down') ? 'down' : 'idle'
}

/** Only the origin of a URL: the rest may hold a key, or variables that are resolved when it is used. */
function launchOf(unit: ServerConfig): string {
  if (unit.type === 'stdio') return [unit.command, ...unit.args].join(' ')
  if (!URL.canParse(unit.url)) return 'over HTTP'
  return new URL(unit.url).origin
}

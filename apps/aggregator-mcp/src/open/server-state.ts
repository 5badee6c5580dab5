import {
  type Aggregator,
  qualifiedName,
  type ServerConfig,
  withoutFence,
} from '@pith-mcp/aggregator'

/**
 * `idle`: the next call starts it. `halted`: stopped until it is started manually. `unusable`: its
 * configuration is invalid.
 */
export const serverStates = [
  'idle',
  'starting',
  'ready',
  'down',
  'needs_sign_in',
  'halted',
  'unusable',
] as const

/** The state of the best instance: a server that works for one client works. */
export function stateOf(
  unit: ServerConfig,
  { fleet }: Pick<Aggregator['gateway'], 'fleet'>,
): (typeof serverStates)[number] {
  const { instances } = fleet.statusOf(unit)
  if (fleet.control.isStopped(qualifiedName(unit))) return 'halted'
  if (unit.problem !== undefined) return 'unusable'
  const states = instances.map(({ state }) => state)
  if (states.includes('ready')) return 'ready'
  if (states.includes('starting')) return 'starting'
  if (instances.some(({ needsSignIn }) => needsSignIn)) return 'needs_sign_in'
  return states.includes('down') ? 'down' : 'idle'
}

type Gateway = Aggregator['gateway']
type Status = ReturnType<Gateway['fleet']['statusOf']>

/** Why a server is down: what it wrote last, if it ended by itself, and the error. */
export function headlineOf(instances: Status['instances']): string | undefined {
  const failed = instances.find(({ lastError }) => lastError !== undefined)
  if (failed?.lastError === undefined) return undefined
  const error = withoutFence(failed.lastError)
  const lastLine = failed.stderr.findLast((line) => line.trim() !== '')
  const hasEnded = failed.state !== 'ready' && error.includes('exited')
  return lastLine !== undefined && hasEnded ? `${withoutFence(lastLine).trim()} (${error})` : error
}

/** A unit, with how many of its definitions wait for approval. */
export function serverFactsOf(
  { server, sharing, instances, calls, starts }: Status,
  gateway: Gateway,
) {
  const entry = gateway.catalog.entryOf(qualifiedName(server))
  const unreviewed = entry ? gateway.trust.notReviewed(server, entry) : []
  return {
    name: qualifiedName(server),
    state: stateOf(server, gateway),
    held: gateway.trust.waiting(server, entry).length,
    /** Tools that run, and that no one has reviewed. */
    notReviewed: unreviewed.length,
    marked: unreviewed.filter((tool) => gateway.trust.marksOf(server, tool).length > 0).length,
    calls,
    starts,
    sharing: sharing.with,
    pids: instances.flatMap(({ pid }) => pid ?? []),
    lastError: server.problem ?? headlineOf(instances),
  }
}

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

/** A unit, with how many of its definitions wait for approval. */
export function serverFactsOf(
  { server, sharing, instances, calls, starts }: ReturnType<Gateway['fleet']['statusOf']>,
  gateway: Gateway,
) {
  const entry = gateway.catalog.entryOf(qualifiedName(server))
  const unreviewed = entry ? gateway.trust.notReviewed(server, entry) : []
  const failed = instances.find(({ lastError }) => lastError !== undefined)
  const lastError = server.problem ?? failed?.lastError
  return {
    name: qualifiedName(server),
    state: stateOf(server, gateway),
    held: entry ? gateway.trust.review(server, entry).size : 0,
    /** Tools that run, and that no one has reviewed. */
    notReviewed: unreviewed.length,
    marked: unreviewed.filter((tool) => gateway.trust.marksOf(server, tool).length > 0).length,
    calls,
    starts,
    sharing: sharing.with,
    pids: instances.flatMap(({ pid }) => pid ?? []),
    lastError: lastError && withoutFence(lastError),
  }
}

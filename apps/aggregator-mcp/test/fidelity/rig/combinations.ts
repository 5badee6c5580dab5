export type Era = 'legacy' | 'modern'

export interface Upstream {
  era: Era
  transport: 'stdio' | 'http'
}

export type ClientName = 'v1' | 'v2' | 'v2 of 2026'

export interface Combination {
  client: ClientName
  upstream: Upstream
  /** `full` shows the spy's tools as the aggregator's own, `call` has one tool to call them by. */
  way: 'direct' | 'full' | 'call'
  /** How the client reaches the aggregator. */
  endpoint: 'stdio' | 'http'
}

export const eraOf = (client: ClientName): Era => (client === 'v2 of 2026' ? 'modern' : 'legacy')

const clients: ClientName[] = ['v1', 'v2', 'v2 of 2026']
const eras: Era[] = ['legacy', 'modern']
const upstreams = eras.flatMap((era): Upstream[] => [
  { era, transport: 'stdio' },
  { era, transport: 'http' },
])

const pairs = clients.flatMap((client) => upstreams.map((upstream) => ({ client, upstream })))
/** Each client and each kind of server, but not each pair of them. */
export const isOfCrossSection = ({ upstream }: Pick<Combination, 'upstream'>): boolean =>
  (upstream.era === 'legacy') === (upstream.transport === 'stdio')

export const direct = pairs
  .filter(({ client, upstream }) => eraOf(client) === upstream.era)
  .map((pair): Combination => ({ ...pair, way: 'direct', endpoint: 'stdio' }))

export const throughAggregator: Combination[] = [
  ...pairs.map((pair) => ({ ...pair, way: 'full' as const, endpoint: 'stdio' as const })),
  ...pairs.map((pair) => ({ ...pair, way: 'call' as const, endpoint: 'stdio' as const })),
  ...pairs
    .filter(isOfCrossSection)
    .map((pair) => ({ ...pair, way: 'full' as const, endpoint: 'http' as const })),
]

export function told({ client, upstream, way, endpoint }: Combination): string {
  const through =
    way === 'direct' ? 'directly' : `by ${way}${endpoint === 'http' ? ' over http' : ''}`
  return `client ${client}, ${through}, to ${upstream.era} ${upstream.transport}`
}

import type { Offer } from '../catalog/offers.ts'
import type { Serving } from '../requests/serving.ts'
import type { Fields } from '../upstream/connection.ts'
import type { Exchange } from './exchange.ts'
import { relayRequest } from './relay-request.ts'

/** Call a tool of a server, with `params` as the server is to get them, when its turn has come. */
export async function relayToolCall(
  offer: Offer,
  params: Fields,
  exchange: Exchange,
  { gateway, limits }: Serving,
): Promise<Fields> {
  const { server, upstreamName, definition } = offer
  exchange.record?.calls({ server, tool: offer.name, args: params['arguments'] })
  const leave = await limits.enter(server, upstreamName, exchange)
  try {
    const instance = gateway.instanceOf(server, exchange.session, exchange.capabilities)
    const message = { method: 'tools/call', params }
    const result = await relayRequest(instance, message, exchange, definition)
    exchange.record?.got(result)
    return result
  } finally {
    leave()
  }
}

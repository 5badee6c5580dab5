import type { Offer } from '../catalog/view.ts'
import type { Gateway } from '../gateway.ts'
import type { Fields } from '../upstream/connection.ts'
import type { Exchange } from './exchange.ts'
import { relayRequest } from './relay-request.ts'

/** Call a tool of a server, with `params` as the server is to get them. */
export function relayToolCall(
  { server, definition }: Offer,
  params: Fields,
  exchange: Exchange,
  gateway: Gateway,
): Promise<Fields> {
  const instance = gateway.instanceOf(server, exchange.session, exchange.capabilities)
  return relayRequest(instance, { method: 'tools/call', params }, exchange, definition)
}

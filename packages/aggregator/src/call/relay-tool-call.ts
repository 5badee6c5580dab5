import { ofUnit } from '../catalog/account-parameter.ts'
import type { Gateway } from '../catalog/gateway.ts'
import type { Offer } from '../catalog/offers.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { Fields } from '../protocol/message.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import type { Instance } from '../upstream/instances.ts'
import type { Limits } from './limits/limits.ts'
import { relayRequest } from './relay-request.ts'

/** Where calls of tools go, and when they may. */
interface CallServing {
  gateway: Pick<Gateway, 'instanceOf' | 'catalog' | 'trust' | 'viewFor'>
  limits: Pick<Limits, 'enter'>
}

/** Call a tool of a server, with `params` as the server is to get them, when its turn has come. */
export async function relayToolCall(
  offer: Offer,
  params: Fields,
  exchange: Exchange,
  serving: CallServing,
): Promise<Fields> {
  const { gateway, limits } = serving
  const { session, capabilities } = exchange
  const { server, upstreamName } = offer
  exchange.record?.calls({ server, tool: offer.name, args: params['arguments'] })
  const leave = await limits.enter(server, upstreamName, exchange)
  try {
    const instance = gateway.instanceOf(server, session, capabilities)
    const message = { method: 'tools/call', params }
    const result = await relayRequest(instance, message, exchange, async (connection) => {
      const { definition } = await asOffered(offer, connection, instance, exchange, serving)
      return definition
    })
    exchange.record?.got(result)
    return result
  } finally {
    leave()
  }
}

/** A server that was started since may offer another tool by that name, which is held then. */
async function asOffered(
  offer: Offer,
  connection: Connection,
  instance: Instance,
  exchange: Exchange,
  { gateway: { catalog, trust, viewFor } }: CallServing,
): Promise<Offer> {
  const { server } = instance
  if (!trust.isOn(server) || catalog.hasRead(connection)) return offer
  await catalog.confirm(instance, connection)
  return ofUnit(offer, server, viewFor(exchange))
}

import { ofUnit } from '../catalog/account-parameter.ts'
import type { CatalogTool } from '../catalog/catalog-tools.ts'
import type { Gateway } from '../catalog/gateway.ts'
import type { JsonObject } from '../protocol/message.ts'
import type { RequestContext } from '../protocol/request-context.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import type { Instance } from '../upstream/instances.ts'
import type { Limits } from './limits/limits.ts'
import { relayRequest } from './relay-request.ts'

interface RelayDeps {
  gateway: Pick<Gateway, 'instanceOf' | 'catalog' | 'trust' | 'viewFor'>
  limits: Pick<Limits, 'waitTurn'>
}

/** Calls a tool of a server when a slot is free; `params` are sent as they are. */
export async function relayToolCall(
  tool: CatalogTool,
  params: JsonObject,
  context: RequestContext,
  deps: RelayDeps,
): Promise<JsonObject> {
  const { gateway, limits } = deps
  const { session, capabilities } = context
  const { server, upstreamName } = tool
  context.record?.calls({ server, tool: tool.name, args: params['arguments'] })
  const leave = await limits.waitTurn(server, upstreamName, context)
  try {
    const instance = gateway.instanceOf(server, session, capabilities)
    const message = { method: 'tools/call', params }
    const result = await relayRequest(instance, message, context, async (connection) => {
      const { definition } = await asOffered(tool, connection, instance, context, deps)
      return definition
    })
    context.record?.result(result)
    return result
  } finally {
    leave()
  }
}

/** If the server was restarted since, the tool of this name may have changed and may be held. */
async function asOffered(
  tool: CatalogTool,
  connection: Connection,
  instance: Instance,
  context: RequestContext,
  { gateway: { catalog, trust, viewFor } }: RelayDeps,
): Promise<CatalogTool> {
  const { server } = instance
  if (!trust.isOn(server) || catalog.hasRead(connection)) return tool
  await catalog.confirm(instance, connection)
  return ofUnit(tool, server, viewFor(context))
}

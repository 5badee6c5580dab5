import { ofUnit } from '../../catalog/account-parameter.ts'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import type { JsonObject } from '../../protocol/message.ts'
import type { RequestContext } from '../../protocol/request-context.ts'
import type { Connection } from '../../upstream/connection/connection.ts'
import type { Instance } from '../../upstream/instance.ts'
import { relayRequest } from './relay-request.ts'

type RelayDeps = Pick<Gateway, 'instanceOf' | 'catalog' | 'trust' | 'viewFor'>

/** Sends the call to the server; `params` are sent as they are. The result is redacted. */
export function relayToolCall(
  tool: CatalogTool,
  params: JsonObject,
  context: RequestContext,
  gateway: RelayDeps,
): Promise<JsonObject> {
  const instance = gateway.instanceOf(tool.server, context.session, context.capabilities)
  const message = { method: 'tools/call', params }
  return relayRequest(instance, message, context, async (connection) => {
    const { definition } = await asOffered(tool, connection, instance, context, gateway)
    return definition
  })
}

/** If the server was restarted since, the tool of this name may have changed and may be held. */
async function asOffered(
  tool: CatalogTool,
  connection: Connection,
  instance: Instance,
  context: RequestContext,
  { catalog, trust, viewFor }: RelayDeps,
): Promise<CatalogTool> {
  const { server } = instance
  if (!trust.isOn(server) || catalog.hasRead(connection)) return tool
  await catalog.confirm(instance, connection)
  return ofUnit(tool, server, viewFor(context))
}

import type { Connection } from '#servers/connection/connection'
import type { JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import { ofUnit } from '../../catalog/account-parameter.ts'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import type { Instance } from '../../upstream/instance.ts'
import type { Approved } from './approve.ts'
import { relayRequest } from './relay-request.ts'

type RelayDeps = Pick<Gateway, 'instanceOf' | 'prepare' | 'catalog' | 'trust' | 'viewFor'>

/**
 * Sends the call to the server; `params` are sent as they are, after `confirm` and `begin`. The result
 * is redacted.
 */
export async function relayToolCall(
  tool: CatalogTool,
  { params, context, confirm, isAsked, begin }: Approved & { begin?: Begin },
  gateway: RelayDeps,
): Promise<JsonObject> {
  await gateway.prepare(tool.server, context)
  const instance = gateway.instanceOf(tool.server, context.session, context.capabilities)
  const message = { method: 'tools/call', params }
  let isBegun = false
  return relayRequest(instance, message, context, async (connection) => {
    const freshness = confirm && (isAsked ? 'latest' : 'current')
    const offered = await asOffered(tool, freshness, { connection, instance, context, gateway })
    await confirm?.(offered)
    // The request may be sent again over another connection.
    if (!isBegun) await begin?.()
    isBegun = true
    return offered.definition
  })
}

/** Writes that the call is sent. Rejects if that cannot be written. */
type Begin = (() => Promise<void> | undefined) | undefined

interface Offering {
  connection: Connection
  instance: Instance
  context: RequestContext
  gateway: RelayDeps
}

/**
 * The tool of this name as it is known now, or after its server was asked again: it may have changed,
 * and may be held, since the call was read.
 */
async function asOffered(
  tool: CatalogTool,
  freshness: 'current' | 'latest' | undefined,
  { connection, instance, context, gateway: { catalog, trust, viewFor } }: Offering,
): Promise<CatalogTool> {
  const { server } = instance
  const isRead = catalog.hasRead(connection)
  // Its lists may have been read since the call was.
  const { tools = [] } = catalog.entryOf(qualifiedName(server)) ?? {}
  const isKnown = isRead && tools.includes(tool.definition)
  if (freshness === undefined && (isKnown || !trust.isOn(server))) return tool
  if (!isRead || freshness === 'latest') await catalog.read(instance, connection)
  return ofUnit(tool, server, viewFor(context))
}

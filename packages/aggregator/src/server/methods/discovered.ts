import type { JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import type { ItemKind } from '../../catalog/entries/catalog-entry.ts'
import { itemsFor } from '../../catalog/entries/listable.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import type { Handler } from './handler-deps.ts'

/** The client, and its capabilities for this request. */
export type Client = Pick<RequestContext, 'session' | 'capabilities'>

/** Lists may change at any time; clients are notified then. */
export const cacheHint = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Answers with the items of a list of all servers, which are queried first if they are unknown. */
export const listOf =
  (name: ItemKind, itemsIn: (view: ToolView) => readonly JsonObject[]): Handler =>
  async (_params, context, { gateway }) => {
    await gateway.discovery.readMissing(context.session, context.capabilities)
    const { era } = context.session
    const all = itemsIn(gateway.viewFor(context))
    const items = name === 'skills' ? all : itemsFor(name, all, era)
    return { [name]: items, ...(era === 'modern' && cacheHint) }
  }

/** What `find` returns; if it finds nothing, unknown servers are queried before it tries again. */
export async function findOrDiscover<T>(
  client: Client,
  gateway: Gateway,
  find: (view: ToolView) => T | undefined,
): Promise<T | undefined> {
  const match = find(gateway.viewFor(client))
  if (match !== undefined) return match
  await gateway.discovery.readMissing(client.session, client.capabilities)
  return find(gateway.viewFor(client))
}

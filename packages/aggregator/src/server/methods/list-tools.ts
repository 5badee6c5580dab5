import type { Gateway } from '../../catalog/gateway.ts'
import type { JsonObject } from '../../protocol/message.ts'
import type { Session } from '../../protocol/request-context.ts'
import type { Handler } from './handler-deps.ts'

/**
 * In mode `meta` the list is fixed; in other modes it depends on the servers, and unknown ones are
 * queried first.
 */
export const listTools: Handler = async (_params, { session, capabilities }, deps) => {
  const { gateway, listModes } = deps
  const known = gateway.discovery.discover(session, capabilities)
  if (listModes.needsCatalog) await known
  const shape = await listModes.listModeOf(gateway.viewFor({ session, capabilities }))
  const tools = shape.listTools()
  const view = () => gateway.viewFor({ session, capabilities })
  if (listModes.needsCatalog) deps.lists.note(session, tools, view())
  else deps.lists.note(session, tools, view(), view)
  if (listModes.needsCatalog) freshen(session, capabilities, gateway)
  return session.era === 'modern' ? { tools, ...cacheHint } : { tools }
}

/** Older entries are read again in the background; clients are notified of changes. */
const freshMs = 24 * 3_600_000

function freshen(session: Session, capabilities: JsonObject, gateway: Gateway): void {
  const view = gateway.viewFor({ session, capabilities })
  for (const server of view.servers) {
    const { readAt = Date.now() } = view.entryOf(server.name) ?? {}
    if (Date.now() - readAt > freshMs)
      gateway.discovery.confirm(server, session, capabilities).catch(() => {})
  }
}

/** Lists may change at any time; clients are notified then. */
export const cacheHint = { ttlMs: 60_000, cacheScope: 'private' } as const

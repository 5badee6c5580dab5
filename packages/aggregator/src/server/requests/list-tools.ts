import type { Gateway } from '../../catalog/gateway.ts'
import type { Session } from '../../protocol/exchange.ts'
import type { Fields } from '../../protocol/message.ts'
import type { Handler } from './serving.ts'

/** In `meta` the list is fixed; else it is what is known, and servers never seen are asked first. */
export const listTools: Handler = async (_params, { session, capabilities }, serving) => {
  const { gateway, disclosure } = serving
  const known = gateway.discover(session, capabilities)
  if (disclosure.needsCatalog) await known
  const shape = await disclosure.shapeOf(gateway.viewFor({ session, capabilities }))
  const tools = shape.listTools()
  const view = () => gateway.viewFor({ session, capabilities })
  if (disclosure.needsCatalog) serving.lists.note(session, tools, view())
  else serving.lists.note(session, tools, view(), view)
  if (disclosure.needsCatalog) freshen(session, capabilities, gateway)
  return session.era === 'modern' ? { tools, ...cacheHint } : { tools }
}

/** What was read longer ago is read again, and a change is told. */
const freshMs = 24 * 3_600_000

function freshen(session: Session, capabilities: Fields, gateway: Gateway): void {
  const view = gateway.viewFor({ session, capabilities })
  for (const server of view.servers) {
    const { readAt = Date.now() } = view.entryOf(server.name) ?? {}
    if (Date.now() - readAt > freshMs)
      gateway.confirm(server, session, capabilities).catch(() => {})
  }
}

/** What servers offer may change at any time, and is told then. */
export const cacheHint = { ttlMs: 60_000, cacheScope: 'private' } as const

import type { Handler } from './serving.ts'

/** In `meta` the list is fixed; else it is what is known, and servers never seen are asked first. */
export const listTools: Handler = async (_params, { session, capabilities }, serving) => {
  const { gateway, disclosure } = serving
  const known = gateway.discover(session, capabilities)
  if (disclosure.needsCatalog) await known
  const shape = await disclosure.shapeOf(gateway.viewFor(capabilities))
  const tools = shape.listTools()
  return session.era === 'modern' ? { tools, ...cacheHint } : { tools }
}

/** What servers offer may change at any time, and is told then. */
export const cacheHint = { ttlMs: 60_000, cacheScope: 'private' } as const

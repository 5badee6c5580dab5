import { isLoud } from '#servers/connection/log-levels'
import { groupBy } from '#servers/protocol/group-by'
import { oncePer } from '#servers/protocol/once-per'
import { type RequestContext, sessionKey } from '#servers/protocol/request-context'
import type { ToolList } from '../../call/stages/bound-meta-tool.ts'
import { freshMs } from '../../catalog/catalog.ts'
import { itemsFor } from '../../catalog/entries/listable.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import { unknownOnes } from '../../tools/server-trouble.ts'
import { type Client, cacheHint } from './discovered.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'

/** A list mode is of one view, so that its list stays the same. */
const listOf = {
  legacy: oncePer((mode: ToolList) => itemsFor('tools', mode.listTools(), 'legacy')),
  modern: oncePer((mode: ToolList) => itemsFor('tools', mode.listTools(), 'modern')),
}

/**
 * In mode `meta` the list is fixed; in other modes it depends on the servers, and unknown ones are
 * queried first.
 */
export const listTools: Handler = async (_params, context, deps) => {
  const { session, capabilities } = context
  const { gateway, listModes } = deps
  const discovery = gateway.discovery.readMissing(session, capabilities)
  if (listModes.needsCatalog) await discovery
  const view = () => gateway.viewFor(context)
  const tools = listOf[session.era](listModes.listModeOf(view()))
  deps.lists.note(context, tools, view(), listModes.needsCatalog ? undefined : view)
  if (listModes.needsCatalog) freshen(context, gateway)
  const missing = listModes.needsCatalog ? unknownOnes(view(), gateway) : undefined
  if (missing !== undefined) reportMissing(`Not listed: ${missing}`, context, deps)
  const handle = servesSessions(view()) ? session.issueHandle?.() : undefined
  const heldCounts = heldIn(view())
  const meta = {
    ...(heldCounts !== undefined && { 'io.github.pith-mcp/held': heldCounts }),
    ...(missing !== undefined && { 'io.github.pith-mcp/notListed': missing }),
    ...(handle !== undefined && { [sessionKey]: handle }),
  }
  return {
    tools,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
    ...(session.era === 'modern' && cacheHint),
  }
}

/** Numbers of the tools that are not listed because they are held, by server. */
function heldIn({ absent }: ToolView): Record<string, number> | undefined {
  const byServer = groupBy(
    absent.filter(({ isUnread }) => !isUnread),
    ({ server }) => server.name,
  )
  if (byServer.size === 0) return undefined
  return Object.fromEntries([...byServer].map(([name, tools]) => [name, tools.length]))
}

/** Some server has an instance for each session. */
const servesSessions = ({ servers }: ToolView): boolean =>
  servers.some(({ per }) => per === 'session')

function reportMissing(text: string, context: RequestContext, { onLog }: HandlerDeps): void {
  onLog(text)
  const { session, passthrough, notify } = context
  // As from a single server, a legacy client that has set no level gets all messages.
  const level = passthrough.logLevel ?? (session.era === 'legacy' ? 'debug' : 'emergency')
  const params = { level: 'warning', logger: 'aggregator', data: text }
  if (isLoud(params.level, level)) notify({ method: 'notifications/message', params })
}

/** Entries older than this, or than their `ttlMs`, are read again in the background; clients are notified of changes. */
const maxAgeMs = 24 * 3_600_000

function freshen({ session, capabilities }: Client, gateway: Gateway): void {
  const view = gateway.viewFor({ session, capabilities })
  for (const server of view.servers) {
    const entry = view.entryOf(server.name)
    if (entry && Date.now() - entry.readAt > Math.min(freshMs(entry), maxAgeMs))
      gateway.discovery.readUnlessCurrent(server, session, capabilities).catch(() => {})
  }
}

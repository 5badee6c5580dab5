import type { ServerConfig } from '#servers/config/server-config'
import { badArgument } from '#servers/protocol/bad-argument'
import { groupBy } from '#servers/protocol/group-by'
import { accountsWith, isOfOther, ownersOf } from '../catalog/account-parameter.ts'
import type { AbsentTool, CatalogTool } from '../catalog/catalog-tools.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { modulesIn, resolveModule, resolveTool, toolNamed } from '../catalog/resolve-tool.ts'
import { signatureOf, summaryOf } from '../catalog/signature.ts'
import type { ToolView } from '../catalog/tool-view.ts'
import { accountIn, accountNames, textsIn } from './arguments.ts'
import { type MetaTool, readsOnly, textResult } from './meta-tool.ts'
import { whyUnknown } from './server-trouble.ts'

/** Tokens of the schemas of a module; larger modules are listed by signatures. */
const schemaBudget = 8_000
const maxUnread = 5

export const getModuleSchema: MetaTool = {
  name: 'get_module_schema',
  description: () =>
    'The tools of servers with their schemas; for large servers name tools, or get signatures. Without a module: all servers.',
  inputSchema: {
    type: 'object',
    properties: {
      module: { type: 'string' },
      modules: { type: 'array', items: { type: 'string' } },
      tools: { type: 'array', items: { type: 'string' }, description: 'Only these' },
    },
  },
  addedProperties: accountNames,
  alsoTaken: ['account'],
  annotations: readsOnly,
  isForLists: true,
  async answer(args, { context: { session, capabilities }, view: before }, { gateway }) {
    const tools = textsIn(args, 'tools')
    const moduleNames = [...textsIn(args, 'module'), ...textsIn(args, 'modules')]
    // Tools may be prefixed with their module, or unique to one.
    const owners = tools.flatMap((tool) => [
      ...modulesIn(tool, before).map(({ name }) => name),
      ...before.tools.filter(({ name }) => name === tool).map(({ server }) => server.name),
    ])
    const names = moduleNames.length > 0 ? moduleNames : [...new Set(owners)]
    if (names.length === 0 && tools.length > 0)
      throw badArgument('tools', tools, 'names prefixed with their server, or pass module too')
    if (names.length === 0) {
      await gateway.discovery.readMissing(session, capabilities)
      return textResult(overviewOf(gateway.viewFor({ session, capabilities }), gateway))
    }
    const { servers } = before
    const resolved = await Promise.all(names.map((name) => resolveModule(name, servers)))
    const modules = [...new Set(resolved.map(({ server }) => server))]
    const account = accountIn(args, before)
    const units = modules.flatMap(({ name }) =>
      before.accountsOf(name).flatMap((each) => before.withAccount(name, each) ?? []),
    )
    const [outcomes] = await Promise.all(
      [modules, units].map((servers) =>
        Promise.allSettled(
          servers.map((server) =>
            gateway.discovery.readUnlessStored(server, session, capabilities),
          ),
        ),
      ),
    )
    const view = gateway.viewFor({ session, capabilities })
    const described = modules.map(async (server, index) => {
      const outcome = outcomes?.[index]
      if (outcome?.status === 'rejected') {
        if (modules.length === 1) throw outcome.reason
        return { module: server.name, error: (outcome.reason as Error).message }
      }
      // Of several modules each may have some of the tools.
      const toolNames =
        modules.length === 1
          ? tools
          : tools.filter(
              (name) => (view.tool(server.name, name) ?? toolOf(server, name, view)) !== undefined,
            )
      if (tools.length > 0 && toolNames.length === 0) return { module: server.name, tools: [] }
      // A call usually follows soon: refresh the lists in the background.
      gateway.discovery.readUnlessCurrent(server, session, capabilities).catch(() => {})
      return describe(server, { tools: toolNames, account }, view, gateway)
    })
    const parts = await Promise.all(described)
    return textResult(parts.map((part) => JSON.stringify(part)).join('\n'))
  },
}

/** A tool of a server by its prefixed name. */
function toolOf(server: ServerConfig, name: string, view: ToolView): CatalogTool | undefined {
  const tool = toolNamed(name, view)
  return tool?.server.name === server.name ? tool : undefined
}

async function describe(
  server: ServerConfig,
  { tools, account }: { tools: readonly string[]; account: string | undefined },
  view: ToolView,
  { catalog, trust }: Gateway,
): Promise<object> {
  const entry = view.entryOf(server.name)
  const selected =
    tools.length === 0
      ? view.toolsOf(server.name)
      : await Promise.all(tools.map(async (name) => (await resolveTool(server, name, view)).tool))
  const { estimateTokens } = await import('@pith-mcp/paginator')
  const isWanted = (tool: CatalogTool) =>
    account === undefined || accountsWith(tool, view).includes(account)
  const wanted = selected.filter(isWanted)
  const schemas = wanted.map((tool) => schemaOf(tool, view))
  const isLarge = tools.length === 0 && estimateTokens(JSON.stringify(schemas)) > schemaBudget
  const accounts = view.accountsOf(server.name)
  const instructions = entry && trust.instructionsOf(server, entry)
  const unread = tools.length > 0 ? [] : unreadOf(server, view)
  const absent = tools.length > 0 ? [] : heldOf(server, view)
  return {
    module: server.name,
    ...(accounts.length > 1 && { accounts }),
    ...(instructions && tools.length === 0 && { instructions }),
    // Read in an earlier process; the server may have changed since.
    ...(entry && !catalog.isCurrent(entry) && { as_of: new Date(entry.readAt).toISOString() }),
    ...(absent.length > 0 && { held: { tools: absent.length, reasons: countedReasons(absent) } }),
    ...(unread.length > 0 && { not_read: unread }),
    ...(isLarge
      ? {
          signatures: wanted.map((tool) => signatureLine(tool, view)),
          note: '* marks required parameters. Pass tools to get their schemas.',
        }
      : { tools: schemas }),
  }
}

/** Tools that exist and cannot be called. */
const heldOf = ({ name }: ServerConfig, { absent }: ToolView): AbsentTool[] =>
  absent.filter((tool) => !tool.isUnread && tool.server.name === name)

const maxReasons = 5

/** The reasons, with the number of tools that each is of, the most frequent first. */
function countedReasons(absent: readonly AbsentTool[]): string[] {
  const byReason = [...groupBy(absent, ({ reason }) => reason)]
    .map(([reason, tools]) => ({ reason, count: tools.length }))
    .sort((a, b) => b.count - a.count)
  const rest = byReason.slice(maxReasons).reduce((sum, { count }) => sum + count, 0)
  return [
    ...byReason.slice(0, maxReasons).map(({ reason, count }) => `${count} ${reason}`),
    ...(rest > 0 ? [`${rest} for other reasons`] : []),
  ]
}

function unreadOf(server: ServerConfig, { absent }: ToolView): string[] {
  const unread = absent.filter((tool) => tool.isUnread && tool.server.name === server.name)
  const rest = unread.length - maxUnread
  return [
    ...unread.slice(0, maxUnread).map(({ name, reason }) => `${name}: ${reason}`),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ]
}

function schemaOf(tool: CatalogTool, view: ToolView): object {
  const { name, definition } = tool
  const { title, description, inputSchema, outputSchema, annotations } = definition
  const accounts = isOfOther(tool, view) ? accountsWith(tool, view) : undefined
  return { name, accounts, title, description, inputSchema, outputSchema, annotations }
}

const signatureLine = (tool: CatalogTool, view: ToolView): string => {
  const { name, definition } = tool
  const summary = summaryOf(definition, 80)
  const owners = ownersOf(tool, view)
  return `${signatureOf(name, definition)}${summary ? ` — ${summary}` : ''}${owners ? ` [${owners}]` : ''}`
}

function overviewOf(view: ToolView, gateway: Gateway): string {
  return view.servers
    .map((server) => {
      const entry = view.entryOf(server.name)
      const instructions = entry && gateway.trust.instructionsOf(server, entry)
      const about = server.description ?? summaryOf({ description: instructions ?? '' })
      const count = view.toolsOf(server.name).length
      const heldCount = heldOf(server, view).length
      const state = entry
        ? `: ${count} ${count === 1 ? 'tool' : 'tools'}${heldCount > 0 ? `, ${heldCount} held` : ''}`
        : ` ${whyUnknown(server, gateway)}`
      return `${server.name}${state}${about ? ` — ${about}` : ''}`
    })
    .join('\n')
}

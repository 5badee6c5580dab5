import type { RequestContext } from '#servers/protocol/request-context'
import { forAccount } from '../../catalog/account-parameter.ts'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import {
  modulesIn,
  resolveModule,
  resolveTool,
  splitToolName,
  toolNamed,
} from '../../catalog/resolve-tool.ts'
import type { ToolView } from '../../catalog/tool-view.ts'

/** A tool as a client names it. */
export interface ToolAddress {
  module?: string | undefined
  account?: string | undefined
  tool: string
}

/** The client, and its capabilities for this request. */
type Client = Pick<RequestContext, 'session' | 'capabilities' | 'admit'>

/**
 * Finds the tool of an address, by its exact or a similar name; a server whose tools are unknown is
 * queried. `renamed` says what was matched to what.
 * @throws {AggregatorError} `unknown_module`, `unknown_tool`, `unknown_account`, `upstream_down`
 */
export async function resolveCall(
  address: ToolAddress,
  view: ToolView,
  client: Client,
  gateway: Pick<Gateway, 'viewFor' | 'discovery'>,
): Promise<{ tool: CatalogTool; renamed: string[] }> {
  const { module: moduleName, tool: name, account } = address
  const exact = view.tool(moduleName ?? '', name)
  if (exact) return { tool: forAccount(exact, account, view), renamed: [] }
  await client.admit?.()
  const split = splitToolName(moduleName, name, view)
  const module = await resolveModule(split.module, view.servers)
  await gateway.discovery.readUnlessStored(module.server, client.session, client.capabilities)
  const currentView = gateway.viewFor(client)
  const tool = await resolveTool(module.server, split.tool, currentView)
  const renamed = [module.repair, tool.repair].filter((repair) => repair !== undefined)
  return { tool: forAccount(tool.tool, account, currentView), renamed }
}

/** Queries the server of an address again, unless it was read in this process. */
export async function confirmServer(
  { module, tool, account }: ToolAddress,
  view: ToolView,
  { session, capabilities }: Client,
  { discovery }: Pick<Gateway, 'discovery'>,
): Promise<boolean> {
  try {
    const split = splitToolName(module, tool, view)
    const { server } = await resolveModule(split.module, view.servers)
    const unit = account === undefined ? server : view.withAccount(server.name, account)
    return await discovery.readUnlessCurrent(unit ?? server, session, capabilities)
  } catch {
    return false
  }
}

/**
 * Queries the servers that a tool of this name may belong to, until it is found or all have
 * answered. Resolves to the view that has it, if any.
 * @throws why the server cannot be queried
 */
export async function findOwner(
  name: string,
  view: ToolView,
  { session, capabilities, admit }: Client,
  {
    isOpen,
    gateway,
  }: { isOpen: boolean; gateway: Pick<Gateway, 'viewFor' | 'discovery' | 'fleet'> },
): Promise<ToolView> {
  const isIn = (current: ToolView): boolean =>
    (toolNamed(name, current) ?? current.absentCalled(name)) !== undefined
  if (isIn(view)) return view
  await admit?.()
  const modules = modulesIn(name, view)
  // Without prefixes, the tool can belong to any server.
  const isOfAnyServer = modules.length === 0 && !view.withServer && isOpen
  // A server that has failed before must not delay the error for a wrong name.
  const isHealthy = (server: ToolView['servers'][number]): boolean =>
    gateway.fleet.statusOf(server).instances.every(({ failures }) => failures === 0)
  const candidates = isOfAnyServer ? view.servers.filter(isHealthy) : modules
  if (candidates.length === 0) return view
  const viewNow = (): ToolView => gateway.viewFor({ session, capabilities })
  let failure: unknown
  await new Promise<void>((resolve) => {
    const answers = candidates.map(async (server) => {
      const ask = view.unknown.includes(server)
        ? gateway.discovery.readUnlessStored
        : gateway.discovery.readUnlessCurrent
      try {
        await ask(server, session, capabilities)
      } catch (error) {
        failure ??= error
      }
      if (isIn(viewNow())) resolve()
    })
    void Promise.all(answers).then(() => resolve())
  })
  const currentView = viewNow()
  if (failure !== undefined && modules.length > 0 && !isIn(currentView)) throw failure
  return currentView
}

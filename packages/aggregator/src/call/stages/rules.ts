import { hasApp, isForAppsOnly } from '#servers/protocol/apps'
import { type JsonObject, RpcError, rpcCodes } from '#servers/protocol/message'
import { nearestOf } from '#servers/protocol/nearest-of'
import { forAccount, takeAccount } from '../../catalog/account-parameter.ts'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { heldTools, toolNamed } from '../../catalog/resolve-tool.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import type { ToolList } from './bound-meta-tool.ts'

/**
 * The server's tool of a name, if the client may call it by that name.
 * @throws {AggregatorError} `tool_held`
 * @throws {RpcError} invalid params, with the nearest name or the call to make instead
 */
export async function allowedTool(
  name: string,
  view: ToolView,
  rules: ToolList,
): Promise<CatalogTool> {
  const absent = rules.isOpen ? view.absentCalled(name) : undefined
  if (absent !== undefined) throw heldTools(absent)
  const tool = toolNamed(name, view) ?? appToolNamed(name, view)
  if (tool !== undefined && (rules.isOpen || isListedApp(tool, view))) return tool
  if (tool) {
    const call = JSON.stringify({ module: tool.server.name, tool_name: tool.name })
    const problem = `The tool ${tool.server.name}.${tool.name} cannot be called by its own name in this list mode.`
    throw new RpcError(rpcCodes.invalidParams, `${problem} Call it as call(${call}).`)
  }
  const toolNames = rules.listTools().map((definition) => String(definition['name']))
  // The call by a name that is not listed is answered with the call to make instead.
  const names = [...new Set([...toolNames, ...view.tools.map(({ exposed }) => exposed)])]
  const [nearest] = await nearestOf(name, names)
  const remedy = `Nearest: ${nearest ?? (names.slice(0, 5).join(', ') || 'none')}.`
  throw new RpcError(rpcCodes.invalidParams, `Unknown tool: ${name.slice(0, 200)}. ${remedy}`)
}

/** True for a tool with an app, or of one: listed in all modes for clients that show apps. */
export const isListedApp = ({ definition }: CatalogTool, view: ToolView): boolean =>
  view.showsApps && (hasApp(definition) || isForAppsOnly(definition))

/** Apps call the tools of their server by the names that these have there. */
function appToolNamed(name: string, view: ToolView): CatalogTool | undefined {
  if (!view.showsApps) return undefined
  const all = [...view.tools, ...view.appTools]
  const servers = new Set(all.filter((tool) => isListedApp(tool, view)).map(({ server }) => server))
  const owners = all.filter((tool) => tool.name === name && servers.has(tool.server))
  if (owners.length < 2) return owners[0]
  const names = owners.map(({ exposed }) => exposed).join(', ')
  throw new RpcError(
    rpcCodes.invalidParams,
    `Several servers with apps have a tool ${name}. Nothing was called. Call one of ${names}.`,
  )
}

/** The parameters unchanged, except for the account parameter that we added. */
export function withRequestedAccount(
  tool: CatalogTool,
  params: JsonObject,
  view: ToolView,
): { tool: CatalogTool; params: JsonObject } {
  const { account, args } = takeAccount(tool, params['arguments'], view)
  const sent = { ...params, name: tool.upstreamName }
  if (args !== params['arguments']) Object.assign(sent, { arguments: args })
  return { tool: forAccount(tool, account, view), params: sent }
}

import { AggregatorError, refusedBy } from '#servers/protocol/aggregator-error'
import { nearestOf } from '#servers/protocol/nearest-of'
import { plainName } from '#servers/protocol/plain-name'
import { quoteValue } from '#servers/protocol/quote-value'
import { safeName } from '#servers/protocol/server-account'
import type { AbsentTool, CatalogTool } from './catalog-tools.ts'
import { mayBeOf } from './policy/exposed-names.ts'
import { signatureOf } from './signature.ts'
import type { ToolView } from './tool-view.ts'

type Server = ToolView['servers'][number]

/** Finds the server for a name; `repair` says what was matched to what. @throws {AggregatorError} `unknown_module` */
export async function resolveModule(
  name: string,
  servers: readonly Server[],
): Promise<{ server: Server; repair?: string }> {
  const exact = servers.find((server) => server.name === name)
  if (exact) return { server: exact }
  const names = servers.map((server) => server.name)
  const nearest = await nearestOf(name, names)
  const alike = onlyAlike(name, servers)
  if (alike) return { server: alike, repair: `server ${name} read as ${alike.name}` }
  const suggestions = nearest.length > 0 ? nearest : names.slice(0, 20)
  throw new AggregatorError(
    'unknown_module',
    `There is no server ${quoteValue(name)}.`,
    `${nearest.length > 0 ? 'Nearest' : 'Servers'}: ${suggestions.join(', ')}${nearest.length === 0 && names.length > 20 ? ', …' : ''}.`,
  )
}

/**
 * Finds the module and tool of a call; `tool_name` may contain both, as `module.tool` or
 * `module__tool`.
 */
export function splitToolName(
  module: string | undefined,
  toolName: string,
  view: ToolView,
): { module: string; tool: string } {
  const exposed = view.toolCalled(toolName)
  if (exposed && (module === undefined || module === exposed.server.name))
    return { module: exposed.server.name, tool: exposed.name }
  for (const split of splitsOf(toolName, view.servers))
    if (module === undefined || module === split.module) {
      if (view.tool(split.module, toolName) === undefined) return split
    }
  if (module !== undefined) return { module, tool: toolName }
  const owners = view.tools.filter(({ name }) => name === toolName)
  const [owner] = owners
  if (owner && owners.length === 1) return { module: owner.server.name, tool: toolName }
  throw new AggregatorError(
    'bad_argument',
    owners.length > 1
      ? `Several servers have a tool ${quoteValue(toolName)}: ${owners.map(({ server }) => server.name).join(', ')}.`
      : 'module is missing.',
    'Pass module and tool_name as listed by search_tools.',
  )
}

const separators = ['.', '__', '/', ':']

/** All splits of a name into a module and a tool, the longest module first. */
function splitsOf(name: string, servers: readonly Server[]): { module: string; tool: string }[] {
  return [...servers]
    .sort((a, b) => b.name.length - a.name.length)
    .flatMap(({ name: module }) =>
      separators
        .filter((separator) => name.startsWith(module + separator))
        .map((separator) => ({ module, tool: name.slice(module.length + separator.length) })),
    )
}

/** The modules that a prefixed name can belong to: `server__tool`, `server.tool`. */
export function modulesIn(name: string, view: ToolView): Server[] {
  const split = new Set(splitsOf(name, view.servers).map(({ module }) => module))
  return view.servers.filter((server) => split.has(server.name) || mayBeOf(server.name, name))
}

/** Finds a tool by its own name, with or without its module. */
export function toolNamed(name: string, view: ToolView): CatalogTool | undefined {
  const exposed = view.toolCalled(name)
  if (exposed) return exposed
  for (const { module, tool } of splitsOf(name, view.servers)) {
    const exposed = view.tool(module, tool)
    if (exposed) return exposed
  }
  return undefined
}

/** Finds the tool of a server for a name. @throws {AggregatorError} `unknown_tool` */
export async function resolveTool(
  server: Server,
  name: string,
  view: ToolView,
): Promise<{ tool: CatalogTool; repair?: string }> {
  const exact = view.tool(server.name, name)
  if (exact) return { tool: exact }
  const prefixed = toolNamed(name, view)
  if (prefixed?.server.name === server.name) return { tool: prefixed }
  const tools = view.toolsOf(server.name)
  const names = tools.map((tool) => tool.name)
  const absent = absentCalled(server, name, view)
  if (absent) throw heldTools(absent)
  const nearest = await nearestOf(name, names)
  const alike = onlyAlike(name, tools)
  if (alike) return { tool: alike, repair: `tool ${name} read as ${alike.name}` }
  const suggestions = nearest.length > 0 ? nearest : names.slice(0, 10)
  const signatures = suggestions.map((toolName) => {
    const tool = tools.find((tool) => tool.name === toolName) as CatalogTool
    return signatureOf(toolName, tool.definition)
  })
  throw new AggregatorError(
    'unknown_tool',
    `The server ${server.name} has no tool ${quoteValue(name)}; it has ${names.length} ${names.length === 1 ? 'tool' : 'tools'}.`,
    suggestions.length > 0
      ? `${nearest.length > 0 ? 'Nearest' : 'It has'}: ${signatures.join('; ')}${nearest.length === 0 && names.length > suggestions.length ? `; ${names.length - suggestions.length} more by get_module_schema` : ''}.`
      : 'It has no tools.',
  )
}

const absentCalled = (server: Server, name: string, view: ToolView): AbsentTool | undefined =>
  view.absent.find((tool) => tool.server.name === server.name && tool.name === safeName(name))

/** The error for a tool that exists and cannot be called. */
export function heldTools({ server, name, why, remedy, setting }: AbsentTool): AggregatorError {
  return refusedBy(
    setting,
    'tool_held',
    `The tool ${server.name}.${name} is ${why}. Nothing was called.`,
    remedy,
  )
}

/**
 * The only item that differs in nothing but case and separators. Larger differences may be another
 * tool.
 */
function onlyAlike<T extends { name: string }>(name: string, items: readonly T[]): T | undefined {
  const target = plainName(name)
  const alike = target === '' ? [] : items.filter((item) => plainName(item.name) === target)
  return alike.length === 1 ? alike[0] : undefined
}

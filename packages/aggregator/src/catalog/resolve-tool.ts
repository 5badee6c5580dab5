import type { ServerConfig } from '../config/server-config.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import { nearestOf } from '../protocol/nearest-of.ts'
import { plainName } from '../protocol/plain-name.ts'
import { safeName } from '../protocol/safe-name.ts'
import { shown } from '../protocol/shown.ts'
import { mayBeOf } from './exposed-names.ts'
import type { AbsentTool, Offer } from './offers.ts'
import { signatureOf } from './signature.ts'
import type { View } from './view.ts'

/** Something found by a name that may not be quite its own. */
export interface Resolved<T> {
  found: T
  /** What was read as what, where the name was not exact. */
  repair?: string
}

/** The server that is meant by a name. @throws {AggregatorError} `unknown_module` */
export async function resolveModule(
  name: string,
  servers: readonly ServerConfig[],
): Promise<Resolved<ServerConfig>> {
  const exact = servers.find((server) => server.name === name)
  if (exact) return { found: exact }
  const names = servers.map((server) => server.name)
  const near = await nearestOf(name, names)
  const alike = onlyAlike(name, servers)
  if (alike) return { found: alike, repair: `module ${name} read as ${alike.name}` }
  const listed = near.length > 0 ? near : names.slice(0, 20)
  throw new AggregatorError(
    'unknown_module',
    `There is no module ${shown(name)}.`,
    `${near.length > 0 ? 'Nearest' : 'Modules'}: ${listed.join(', ')}${near.length === 0 && names.length > 20 ? ', …' : ''}.`,
  )
}

/**
 * The server and the name of a tool that are meant by `module` and `tool_name`; the latter may hold
 * both as `module.tool` or as `module__tool`.
 */
export function splitToolName(
  module: string | undefined,
  toolName: string,
  view: View,
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
      ? `Several modules have a tool ${shown(toolName)}: ${owners.map(({ server }) => server.name).join(', ')}.`
      : 'module is missing.',
    'Give module and tool_name, as search_tools names them.',
  )
}

const separators = ['.', '__', '/', ':']

/** How a name can be read as that of a module and one of its tools; the longest module first. */
function splitsOf(
  name: string,
  servers: readonly ServerConfig[],
): { module: string; tool: string }[] {
  return [...servers]
    .sort((a, b) => b.name.length - a.name.length)
    .flatMap(({ name: module }) =>
      separators
        .filter((separator) => name.startsWith(module + separator))
        .map((separator) => ({ module, tool: name.slice(module.length + separator.length) })),
    )
}

/** The modules that a name with its module before it can be of: `server__tool`, `server.tool`. */
export function modulesIn(name: string, view: View): ServerConfig[] {
  const split = new Set(splitsOf(name, view.servers).map(({ module }) => module))
  return view.servers.filter((server) => split.has(server.name) || mayBeOf(server.name, name))
}

/** The tool that is called by its own name, or by that with its module before it. */
export function toolNamed(name: string, view: View): Offer | undefined {
  const exposed = view.toolCalled(name)
  if (exposed) return exposed
  for (const { module, tool } of splitsOf(name, view.servers)) {
    const offer = view.tool(module, tool)
    if (offer) return offer
  }
  return undefined
}

/** The tool of a server that is meant by a name. @throws {AggregatorError} `unknown_tool` */
export async function resolveTool(
  server: ServerConfig,
  name: string,
  view: View,
): Promise<Resolved<Offer>> {
  const exact = view.tool(server.name, name)
  if (exact) return { found: exact }
  const prefixed = toolNamed(name, view)
  if (prefixed?.server.name === server.name) return { found: prefixed }
  const offers = view.toolsOf(server.name)
  const names = offers.map((offer) => offer.name)
  const absent = absentCalled(server, name, view)
  if (absent) throw heldBack(absent)
  const near = await nearestOf(name, names)
  const alike = onlyAlike(name, offers)
  if (alike) return { found: alike, repair: `tool ${name} read as ${alike.name}` }
  const listed = near.length > 0 ? near : names.slice(0, 10)
  const signatures = listed.map((one) => {
    const offer = offers.find((offer) => offer.name === one) as Offer
    return signatureOf(one, offer.definition)
  })
  throw new AggregatorError(
    'unknown_tool',
    `The module ${server.name} has no tool ${shown(name)} among its ${names.length}.`,
    listed.length > 0
      ? `${near.length > 0 ? 'Nearest' : 'It has'}: ${signatures.join('; ')}${near.length === 0 && names.length > listed.length ? `; ${names.length - listed.length} more by get_module_schema` : ''}.`
      : 'It offers no tools.',
  )
}

const absentCalled = (server: ServerConfig, name: string, view: View): AbsentTool | undefined =>
  view.absent.find((tool) => tool.server.name === server.name && tool.name === safeName(name))

/** What is said of a tool that is there and cannot be called. */
export function heldBack({ server, name, said }: AbsentTool): AggregatorError {
  return new AggregatorError(
    'tool_held',
    `The tool ${server.name}.${name} cannot be called. Nothing was called.`,
    `It is ${said}.`,
  )
}

/** The one that differs only in case and separators. A slip could as well mean another tool. */
function onlyAlike<T extends { name: string }>(name: string, items: readonly T[]): T | undefined {
  const plain = plainName(name)
  const alike = plain === '' ? [] : items.filter((item) => plainName(item.name) === plain)
  return alike.length === 1 ? alike[0] : undefined
}

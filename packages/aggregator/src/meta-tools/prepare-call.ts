import { AggregatorError } from '../aggregator-error.ts'
import type { Offer } from '../catalog/view.ts'
import { signatureOf } from '../disclosure/signature.ts'
import type { Gateway } from '../gateway.ts'
import { resolveModule, resolveTool, splitToolName } from '../names/resolve-tool.ts'
import type { Exchange, Session } from '../relay/exchange.ts'
import type { Serving } from '../requests/serving.ts'
import { repairArguments } from '../schema/repair-arguments.ts'
import type { Fields } from '../upstream/connection.ts'
import { badArgument } from './arguments.ts'

/** A call that can be made as it is. */
export interface PreparedCall {
  offer: Offer
  /** Parameters of `tools/call`. */
  params: Fields
  repairs: string[]
}

export interface WantedCall {
  module?: string | undefined
  tool: string
  params: unknown
}

/** A longer schema is asked for by its own call. */
const longestSchema = 4_000

/**
 * Find the tool that is meant and check the arguments before anything is started; a server that was
 * never seen is asked what it offers.
 * @throws {AggregatorError} with the nearest names, or with the schema
 */
export async function prepareCall(
  wanted: WantedCall,
  { session, capabilities }: Exchange,
  { gateway, validate }: Serving,
): Promise<PreparedCall> {
  const view = gateway.viewFor(capabilities)
  const exact = view.tool(wanted.module ?? '', wanted.tool)
  const { found: offer, renamed } = exact
    ? { found: exact, renamed: [] }
    : await findTool(wanted, session, capabilities, gateway)
  const schema = offer.definition['inputSchema']
  const { args, repairs } = repairArguments(wanted.params, schema)
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw badArgument('params', wanted.params, 'an object with the parameters of the tool')
  const fault = validate(args, schema)
  if (fault !== undefined) throw wrongArguments(offer, fault)
  return {
    offer,
    params: { name: offer.name, arguments: args as Fields },
    repairs: [...renamed, ...repairs],
  }
}

/** By names that are not quite its own, or of a server that was never asked. */
async function findTool(
  { module: given, tool: name }: WantedCall,
  session: Session,
  capabilities: Fields,
  gateway: Gateway,
): Promise<{ found: Offer; renamed: string[] }> {
  const { servers } = gateway
  const split = splitToolName(given, name, servers, gateway.viewFor(capabilities))
  const module = await resolveModule(split.module, servers)
  await gateway.know(module.found, session, capabilities)
  const tool = await resolveTool(module.found, split.tool, gateway.viewFor(capabilities))
  const renamed = [module.repair, tool.repair].filter((repair) => repair !== undefined)
  return { found: tool.found, renamed }
}

function wrongArguments({ server, name, definition }: Offer, fault: string): AggregatorError {
  const schema = JSON.stringify(definition['inputSchema'])
  return new AggregatorError(
    'bad_argument',
    `The params do not fit ${server.name}.${name}: ${fault.slice(0, 1_000)}. Nothing was called.`,
    schema.length <= longestSchema
      ? `Its schema: ${schema}`
      : `It is called as ${signatureOf(name, definition)}; get_module_schema(${JSON.stringify({ module: server.name, tools: [name] })}) gives the schema.`,
  )
}

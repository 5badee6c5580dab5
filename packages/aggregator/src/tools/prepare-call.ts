import { forAccount } from '../catalog/account-parameter.ts'
import type { Gateway } from '../catalog/gateway.ts'
import type { Offer } from '../catalog/offers.ts'
import { resolveModule, resolveTool, splitToolName } from '../catalog/resolve-tool.ts'
import { signatureOf } from '../catalog/signature.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Exchange, Session } from '../protocol/exchange.ts'
import type { ValidateArguments } from '../protocol/json-schema.ts'
import { type Fields, isFields } from '../protocol/message.ts'
import { badArgument } from './arguments.ts'
import { referencesIn } from './batch/references.ts'
import { repairArguments } from './repair-arguments.ts'

/** What a call is prepared with. */
export interface PrepareServing {
  gateway: Pick<Gateway, 'viewFor' | 'know' | 'confirm'>
  validate: ValidateArguments
}

/** A call that can be made as it is. */
export interface PreparedCall {
  offer: Offer
  /** Parameters of `tools/call`. */
  params: Fields
  repairs: string[]
}

export interface WantedCall {
  module?: string | undefined
  account?: string | undefined
  tool: string
  params: unknown
  /** Some parameters are not known yet. */
  hasReferences?: boolean
}

/** A longer schema is asked for by its own call. */
const longestSchema = 4_000

/**
 * Find the tool that is meant and check the arguments before anything is called. What was known
 * from an earlier process is not refused by: the server is asked then, and it is tried again.
 * @throws {AggregatorError} with the nearest names, or with the schema
 */
export async function prepareCall(
  wanted: WantedCall,
  exchange: Exchange,
  serving: PrepareServing,
): Promise<PreparedCall> {
  try {
    return await prepareByCatalog(wanted, exchange, serving)
  } catch (error) {
    if (!(error instanceof AggregatorError) || !(await isNews(wanted, exchange, serving)))
      throw error
    return prepareByCatalog(wanted, exchange, serving)
  }
}

/** Whether the server that is meant was asked anew. */
async function isNews(
  { module, tool, account }: WantedCall,
  { session, capabilities }: Exchange,
  { gateway }: PrepareServing,
): Promise<boolean> {
  try {
    const view = gateway.viewFor({ session, capabilities })
    const split = splitToolName(module, tool, view)
    const { found } = await resolveModule(split.module, view.servers)
    const unit = account === undefined ? found : view.withAccount(found.name, account)
    return await gateway.confirm(unit ?? found, session, capabilities)
  } catch {
    return false
  }
}

async function prepareByCatalog(
  wanted: WantedCall,
  { session, capabilities }: Exchange,
  { gateway, validate }: PrepareServing,
): Promise<PreparedCall> {
  const view = gateway.viewFor({ session, capabilities })
  const exact = view.tool(wanted.module ?? '', wanted.tool)
  const { found, renamed } = exact
    ? { found: exact, renamed: [] }
    : await findTool(wanted, session, capabilities, gateway)
  const offer = forAccount(found, wanted.account, gateway.viewFor({ session, capabilities }))
  const schema = offer.definition['inputSchema']
  const { args, repairs } = repairArguments(wanted.params, schema)
  if (!isFields(args))
    throw badArgument('params', wanted.params, 'an object with the parameters of the tool')
  const fault = wanted.hasReferences ? faultOfKnown(args, schema, validate) : validate(args, schema)
  if (fault !== undefined) throw wrongArguments(offer, fault)
  const params = { name: offer.upstreamName, arguments: args }
  return { offer, params, repairs: [...renamed, ...repairs] }
}

/** What is wrong with arguments some of which hold references, and are known only later. */
function faultOfKnown(
  args: Fields,
  schema: unknown,
  validate: ValidateArguments,
): string | undefined {
  const known = Object.fromEntries(
    Object.entries(args).filter(([, value]) => referencesIn(value).length === 0),
  )
  const { required } = isFields(schema) ? schema : {}
  const missing = (Array.isArray(required) ? required : []).filter(
    (key) => !Object.hasOwn(args, key),
  )
  if (missing.length > 0) return `it has no ${missing.join(', ')}`
  return validate(known, propertiesOf(schema))
}

const propertySchemas = new WeakMap<object, object>()

/** What a schema says of each property by itself. */
function propertiesOf(schema: unknown): unknown {
  if (!isFields(schema)) return schema
  let only = propertySchemas.get(schema)
  if (only === undefined) {
    const { properties, additionalProperties, $defs, definitions } = schema
    only = { type: 'object', properties, additionalProperties, $defs, definitions }
    for (const [key, value] of Object.entries(only))
      if (value === undefined) delete (only as Fields)[key]
    propertySchemas.set(schema, only)
  }
  return only
}

/** By names that are not quite its own, or of a server that was never asked. */
async function findTool(
  { module: given, tool: name }: WantedCall,
  session: Session,
  capabilities: Fields,
  gateway: PrepareServing['gateway'],
): Promise<{ found: Offer; renamed: string[] }> {
  const view = gateway.viewFor({ session, capabilities })
  const split = splitToolName(given, name, view)
  const module = await resolveModule(split.module, view.servers)
  await gateway.know(module.found, session, capabilities)
  const tool = await resolveTool(
    module.found,
    split.tool,
    gateway.viewFor({ session, capabilities }),
  )
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

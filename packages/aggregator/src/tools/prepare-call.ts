import { forAccount } from '../catalog/account-parameter.ts'
import type { CatalogTool } from '../catalog/catalog-tools.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { resolveModule, resolveTool, splitToolName } from '../catalog/resolve-tool.ts'
import { signatureOf } from '../catalog/signature.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { ValidateArguments } from '../protocol/json-schema.ts'
import { isJsonObject, type JsonObject } from '../protocol/message.ts'
import type { RequestContext, Session } from '../protocol/request-context.ts'
import { badArgument } from './arguments.ts'
import { referencesIn } from './batch/references.ts'
import { repairArguments } from './repair-arguments.ts'

export interface PrepareDeps {
  gateway: Pick<Gateway, 'viewFor' | 'know' | 'confirm'>
  validate: ValidateArguments
}

/** A call whose tool and arguments have been checked. */
export interface PreparedCall {
  tool: CatalogTool
  /** Parameters of `tools/call`. */
  params: JsonObject
  repairs: string[]
}

export interface RequestedCall {
  module?: string | undefined
  account?: string | undefined
  tool: string
  params: unknown
  /** Some parameters are not known yet. */
  hasReferences?: boolean
}

/** Characters. Longer schemas are not part of the error; `get_module_schema` returns them. */
const maxSchemaLength = 4_000

/**
 * Finds the tool and checks the arguments before anything is called. A call is not rejected by
 * lists from an earlier process: the server is queried first, and the call is checked again.
 * @throws {AggregatorError} with the most similar names, or with the schema
 */
export async function prepareCall(
  requested: RequestedCall,
  context: RequestContext,
  deps: PrepareDeps,
): Promise<PreparedCall> {
  try {
    return await prepareByCatalog(requested, context, deps)
  } catch (error) {
    if (!(error instanceof AggregatorError) || !(await isNewTool(requested, context, deps)))
      throw error
    return prepareByCatalog(requested, context, deps)
  }
}

/** True if the server was queried again. */
async function isNewTool(
  { module, tool, account }: RequestedCall,
  { session, capabilities }: RequestContext,
  { gateway }: PrepareDeps,
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
  requested: RequestedCall,
  { session, capabilities }: RequestContext,
  { gateway, validate }: PrepareDeps,
): Promise<PreparedCall> {
  const view = gateway.viewFor({ session, capabilities })
  const exact = view.tool(requested.module ?? '', requested.tool)
  const { found, renamed } = exact
    ? { found: exact, renamed: [] }
    : await findTool(requested, session, capabilities, gateway)
  const tool = forAccount(found, requested.account, gateway.viewFor({ session, capabilities }))
  const schema = tool.definition['inputSchema']
  const { args, repairs } = repairArguments(requested.params, schema)
  if (!isJsonObject(args))
    throw badArgument('params', requested.params, 'an object with the parameters of the tool')
  const fault = requested.hasReferences
    ? faultOfKnown(args, schema, validate)
    : validate(args, schema)
  if (fault !== undefined) throw wrongArguments(tool, fault)
  const params = { name: tool.upstreamName, arguments: args }
  return { tool, params, repairs: [...renamed, ...repairs] }
}

/** Checks the arguments without references. */
function faultOfKnown(
  args: JsonObject,
  schema: unknown,
  validate: ValidateArguments,
): string | undefined {
  const known = Object.fromEntries(
    Object.entries(args).filter(([, value]) => referencesIn(value).length === 0),
  )
  const { required } = isJsonObject(schema) ? schema : {}
  const missing = (Array.isArray(required) ? required : []).filter(
    (key) => !Object.hasOwn(args, key),
  )
  if (missing.length > 0)
    return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`
  return validate(known, propertiesOf(schema))
}

const propertySchemas = new WeakMap<object, object>()

/** The schema without constraints between properties. */
function propertiesOf(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema
  let only = propertySchemas.get(schema)
  if (only === undefined) {
    const { properties, additionalProperties, $defs, definitions } = schema
    only = { type: 'object', properties, additionalProperties, $defs, definitions }
    for (const [key, value] of Object.entries(only))
      if (value === undefined) delete (only as JsonObject)[key]
    propertySchemas.set(schema, only)
  }
  return only
}

/** Finds a tool by an inexact name, or of a server without an entry. */
async function findTool(
  { module: given, tool: name }: RequestedCall,
  session: Session,
  capabilities: JsonObject,
  gateway: PrepareDeps['gateway'],
): Promise<{ found: CatalogTool; renamed: string[] }> {
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

function wrongArguments({ server, name, definition }: CatalogTool, fault: string): AggregatorError {
  const schema = JSON.stringify(definition['inputSchema'])
  return new AggregatorError(
    'bad_argument',
    `The params of ${server.name}.${name} are not valid: ${fault.slice(0, 1_000)}. Nothing was called.`,
    schema.length <= maxSchemaLength
      ? `Its schema: ${schema}`
      : `Call it as ${signatureOf(name, definition)}; get_module_schema(${JSON.stringify({ module: server.name, tools: [name] })}) returns the schema.`,
  )
}

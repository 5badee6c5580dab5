import { AggregatorError, refusedBy } from '#servers/protocol/aggregator-error'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { quoteValue } from '#servers/protocol/quote-value'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { CatalogTool } from './catalog-tools.ts'
import { serverSetting } from './policy/tool-rules.ts'
import { heldTools } from './resolve-tool.ts'
import type { ToolView } from './tool-view.ts'

type Server = CatalogTool['server']

/** Modules with accounts that are named in the schema of `call`. */
const maxNamed = 30

/** The accounts that have a tool, or may have it as they were not queried yet. */
export const accountsWith = ({ server, name }: CatalogTool, view: ToolView): string[] =>
  view.accountsOf(server.name).filter((account) => {
    const unit = view.withAccount(server.name, account)
    const known = unit && view.unitTools(unit)
    return known === undefined || known.tools.some((tool) => tool.name === name)
  })

/** True for a tool that the default account lacks: it is called with another one that is named. */
export const isOfOther = ({ server }: CatalogTool, view: ToolView): boolean =>
  server.account !== undefined && server.account !== view.accountsOf(server.name)[0]

/** Whose a tool is, if it is not of the default account. */
export const ownersOf = (tool: CatalogTool, view: ToolView): string | undefined =>
  isOfOther(tool, view) ? `account: ${accountsWith(tool, view).join(', ')}` : undefined

function ofOtherAccount(tool: CatalogTool, view: ToolView): AggregatorError {
  const { server, name } = tool
  const [standard = ''] = view.accountsOf(server.name)
  const accounts = accountsWith(tool, view)
  return new AggregatorError(
    'unknown_account',
    `${server.name}.${name} is no tool of ${standard}, the default account of ${server.name}. Nothing was called.`,
    `It is a tool of ${accounts.join(', ')}: pass "account".`,
  )
}

/** The tool with the requested account. @throws {AggregatorError} `unknown_account` */
export function forAccount(
  tool: CatalogTool,
  account: string | undefined,
  view: ToolView,
): CatalogTool {
  const { server } = tool
  if (account === undefined && isOfOther(tool, view)) throw ofOtherAccount(tool, view)
  if (account === undefined || account === server.account) return tool
  return ofUnit(tool, unitFor(server, account, view), view)
}

/** The server with the requested account. @throws {AggregatorError} `unknown_account` */
export function unitFor({ name }: Server, account: string, view: ToolView): Server {
  const server = view.withAccount(name, account)
  if (server !== undefined) return server
  const accounts = view.accountsOf(name)
  throw refusedBy(
    serverSetting({ name }, 'accounts'),
    'unknown_account',
    accounts.length === 0
      ? `The server ${name} has no accounts, but the call names the account ${quoteValue(account)}. Nothing was called.`
      : `The server ${name} has no account ${quoteValue(account)}. Nothing was called.`,
    accounts.length === 0 ? 'Call it without account.' : `Accounts: ${accounts.join(', ')}.`,
  )
}

/**
 * The tool as a server offers it with one account. If that account was not queried yet, the tool is
 * assumed to exist.
 * @throws {AggregatorError} `tool_held`, `unknown_tool`
 */
export function ofUnit(
  tool: CatalogTool,
  unit: CatalogTool['server'],
  view: ToolView,
): CatalogTool {
  const unitTools = view.unitTools(unit)
  if (unitTools === undefined) return { ...tool, server: unit }
  const match = unitTools.tools.find(({ name }) => name === tool.name)
  if (match !== undefined) return { ...tool, ...match }
  const absent = unitTools.absent.find(({ name }) => name === safeName(tool.name))
  if (absent !== undefined) throw heldTools(absent)
  throw new AggregatorError(
    'unknown_tool',
    `${qualifiedName(unit)} has no tool ${quoteValue(tool.name)}. Nothing was called.`,
    `get_module_schema(${JSON.stringify({ module: unit.name })}) lists its tools.`,
  )
}

/** The parameter `account` of `call`; empty if no module has several accounts. */
export function accountProperty(view: ToolView): JsonObject {
  const several = view.servers.filter(({ name }) => view.accountsOf(name).length > 1)
  if (several.length === 0) return {}
  const parts = several.slice(0, maxNamed).map(({ name }) => `${name}: ${accountsOf(name, view)}`)
  const rest = several.length - parts.length
  const description = `${parts.join('; ')}${rest > 0 ? `; ${rest} more by get_module_schema` : ''}. The first is the default`
  return { account: { type: 'string', description } }
}

const accountsOf = (name: string, view: ToolView): string => view.accountsOf(name).join(', ')

/** Adds the account parameter to a tool that is called by its own name. */
export function withAccountParameter(tool: CatalogTool, view: ToolView): JsonObject {
  const { definition, server } = tool
  const [standard, ...others] = view.accountsOf(server.name)
  if (others.length === 0) return definition
  const schema = isJsonObject(definition['inputSchema']) ? definition['inputSchema'] : {}
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const name = parameterName(properties)
  const isNeeded = isOfOther(tool, view)
  const account = {
    type: 'string',
    enum: accountsWith(tool, view),
    ...(!isNeeded && { default: standard }),
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return {
    ...definition,
    inputSchema: {
      ...schema,
      properties: { ...properties, [name]: account },
      ...(isNeeded && { required: [...required, name] }),
    },
  }
}

/** Adds the account argument to a prompt. */
export function withAccountArgument(tool: CatalogTool, view: ToolView): JsonObject {
  const { definition, server } = tool
  const accounts = view.accountsOf(server.name)
  if (accounts.length < 2) return definition
  const args = promptArguments(definition)
  const description = `${accounts.join(', ')}. The first is the default`
  const account = { name: parameterName(args), description, required: false }
  return { ...definition, arguments: [...Object.values(args), account] }
}

/** The arguments of a prompt by their names. */
const promptArguments = ({ arguments: args }: JsonObject): JsonObject =>
  Object.fromEntries(
    (Array.isArray(args) ? args : []).filter(isJsonObject).map((arg) => [String(arg['name']), arg]),
  )

/** Splits the arguments of such a call into the account and the rest. */
export function takeAccount(
  tool: CatalogTool,
  args: unknown,
  view: ToolView,
): { account: string | undefined; args: unknown } {
  if (view.accountsOf(tool.server.name).length < 2 || !isJsonObject(args))
    return { account: undefined, args }
  const schema = tool.definition['inputSchema']
  const properties = isJsonObject(schema)
    ? isJsonObject(schema['properties'])
      ? schema['properties']
      : {}
    : promptArguments(tool.definition)
  const { [parameterName(properties)]: account, ...rest } = args
  if (account === null) return { account: undefined, args: rest }
  return typeof account === 'string' ? { account, args: rest } : { account: undefined, args }
}

/** `use_account` if the tool has a parameter `account` itself. */
const parameterName = (properties: JsonObject): string =>
  Object.hasOwn(properties, 'account') ? 'use_account' : 'account'

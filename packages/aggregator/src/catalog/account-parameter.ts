import { AggregatorError } from '../protocol/aggregator-error.ts'
import { type Fields, isFields } from '../protocol/message.ts'
import { safeName } from '../protocol/safe-name.ts'
import { shown } from '../protocol/shown.ts'
import { unitName } from '../protocol/unit.ts'
import type { Offer } from './offers.ts'
import { heldBack } from './resolve-tool.ts'
import type { View } from './view.ts'

/** How many modules with accounts are named where a call is described. */
const mostNamed = 30

/** The tool with an account that is asked for. @throws {AggregatorError} `unknown_account` */
export function forAccount(offer: Offer, account: string | undefined, view: View): Offer {
  const { name } = offer.server
  if (account === undefined || account === offer.server.account) return offer
  const server = view.withAccount(name, account)
  if (server !== undefined) return ofUnit(offer, server, view)
  const accounts = view.accountsOf(name)
  throw new AggregatorError(
    'unknown_account',
    accounts.length === 0
      ? `The module ${name} has no accounts, and was asked for ${shown(account)}. Nothing was called.`
      : `The module ${name} has no account ${shown(account)}. Nothing was called.`,
    accounts.length === 0 ? 'Call it without account.' : `Accounts: ${accounts.join(', ')}.`,
  )
}

/**
 * The tool as a server offers it with one account. One that was not asked yet is expected to have it.
 * @throws {AggregatorError} `tool_held`, `unknown_tool`
 */
export function ofUnit(offer: Offer, unit: Offer['server'], view: View): Offer {
  const known = view.unitTools(unit)
  if (known === undefined) return { ...offer, server: unit }
  const own = known.tools.find(({ name }) => name === offer.name)
  if (own !== undefined) return { ...offer, ...own }
  const absent = known.absent.find(({ name }) => name === safeName(offer.name))
  if (absent !== undefined) throw heldBack(absent)
  throw new AggregatorError(
    'unknown_tool',
    `${unitName(unit)} does not offer ${shown(offer.name)}. Nothing was called.`,
    `get_module_schema(${JSON.stringify({ module: unit.name })}) has the tools there are.`,
  )
}

/** For `call`: which modules have several accounts, if any has. */
export function accountProperty(view: View): Fields {
  const several = view.servers.filter(({ name }) => view.accountsOf(name).length > 1)
  if (several.length === 0) return {}
  const named = several.slice(0, mostNamed).map(({ name }) => `${name}: ${accountsOf(name, view)}`)
  const rest = several.length - named.length
  const description = `${named.join('; ')}${rest > 0 ? `; ${rest} more by get_module_schema` : ''}. The first is the default`
  return { account: { type: 'string', description } }
}

const accountsOf = (name: string, view: View): string => view.accountsOf(name).join(', ')

/** A tool that is called by its own name takes the account among its arguments. */
export function withAccountParameter(offer: Offer, view: View): Fields {
  const { definition, server } = offer
  const accounts = view.accountsOf(server.name)
  if (accounts.length < 2) return definition
  const schema = isFields(definition['inputSchema']) ? definition['inputSchema'] : {}
  const properties = isFields(schema['properties']) ? schema['properties'] : {}
  const account = { type: 'string', enum: accounts, default: server.account ?? accounts[0] }
  return {
    ...definition,
    inputSchema: {
      ...schema,
      properties: { ...properties, [parameterName(properties)]: account },
    },
  }
}

/** The account among the arguments of such a call, and the arguments without it. */
export function takeAccount(
  offer: Offer,
  args: unknown,
  view: View,
): { account: string | undefined; args: unknown } {
  if (view.accountsOf(offer.server.name).length < 2 || !isFields(args))
    return { account: undefined, args }
  const schema = offer.definition['inputSchema']
  const properties = isFields(schema) && isFields(schema['properties']) ? schema['properties'] : {}
  const { [parameterName(properties)]: account, ...rest } = args
  if (account === null) return { account: undefined, args: rest }
  return typeof account === 'string' ? { account, args: rest } : { account: undefined, args }
}

/** A tool may have an argument of that name itself. */
const parameterName = (properties: Fields): string =>
  Object.hasOwn(properties, 'account') ? 'use_account' : 'account'

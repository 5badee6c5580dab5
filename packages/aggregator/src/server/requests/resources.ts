import { relayRequest } from '../../call/relay-request.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import type { OwnedAddress } from '../../catalog/owned-addresses.ts'
import type { View } from '../../catalog/view.ts'
import type { Exchange } from '../../protocol/exchange.ts'
import type { Fields } from '../../protocol/message.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import { matchesTemplate } from '../../protocol/uri-template.ts'
import { cacheHint } from './list-tools.ts'
import type { Handler } from './serving.ts'

export const listResources: Handler = async (_params, { session, capabilities }, { gateway }) => {
  await gateway.discover(session, capabilities)
  const resources = [...gateway.viewFor({ session, capabilities }).resources]
  return session.era === 'modern' ? { resources, ...cacheHint } : { resources }
}

export const listResourceTemplates: Handler = async (
  _params,
  { session, capabilities },
  { gateway },
) => {
  await gateway.discover(session, capabilities)
  const resourceTemplates = [...gateway.viewFor({ session, capabilities }).resourceTemplates]
  return session.era === 'modern' ? { resourceTemplates, ...cacheHint } : { resourceTemplates }
}

export const readResource: Handler = async (params, exchange, { gateway }) => {
  const candidates = await candidatesFor(params, exchange, gateway)
  let failure: unknown
  for (const { server, address } of candidates) {
    const instance = gateway.instanceOf(server, exchange.session, exchange.capabilities)
    const message = { method: 'resources/read', params: { ...params, uri: address } }
    try {
      return await relayRequest(instance, message, exchange)
    } catch (error) {
      failure = error
      if (candidates.length > 1 && isNotFound(error)) continue
      throw error
    }
  }
  throw failure
}

export const subscribeResource: Handler = async (params, exchange, { gateway }) => {
  const [owner] = await candidatesFor(params, exchange, gateway)
  if (owner) await follow(owner, true, exchange, gateway)
  return {}
}

export const unsubscribeResource: Handler = async (params, exchange, { gateway }) => {
  const [owner] = await candidatesFor(params, exchange, gateway)
  if (owner) await follow(owner, false, exchange, gateway)
  return {}
}

/** Who wants something of a server, and what it can be asked. */
type Client = Pick<Exchange, 'session' | 'capabilities'>

function follow(
  { server, address }: OwnedAddress,
  isWanted: boolean,
  { session, capabilities }: Client,
  gateway: Gateway,
): Promise<void> {
  const instance = gateway.instanceOf(server, session, capabilities)
  return gateway.follow(instance, session, address, isWanted)
}

/**
 * Follow resources for a client that listens to them, or no longer. What cannot be followed is
 * left out: listening has no room for errors of one of many.
 */
export async function followListened(
  uris: readonly string[],
  isWanted: boolean,
  client: Client,
  gateway: Gateway,
): Promise<void> {
  await Promise.allSettled(
    uris.map(async (uri) => {
      const [owner] = await candidatesFor({ uri }, client, gateway)
      if (owner) await follow(owner, isWanted, client, gateway)
    }),
  )
}

/** Who may have the resource: who lists it, who has a template for it, else all with resources. */
async function candidatesFor(
  params: Fields,
  { session, capabilities }: Client,
  gateway: Gateway,
): Promise<OwnedAddress[]> {
  const uri = String(params['uri'])
  let found = ownersIn(gateway.viewFor({ session, capabilities }), uri)
  if (found.length === 0) {
    await gateway.discover(session, capabilities)
    found = ownersIn(gateway.viewFor({ session, capabilities }), uri)
  }
  if (found.length > 0) return found
  throw new RpcError(rpcCodes.invalidParams, `Resource not found: ${uri}`, { uri })
}

function ownersIn(view: View, uri: string): OwnedAddress[] {
  const listed = view.ownerOfResource(uri)
  if (listed) return [listed]
  for (const { uriTemplate } of view.resourceTemplates) {
    const owner = matchesTemplate(String(uriTemplate), uri)
      ? view.ownerOfTemplate(String(uriTemplate))
      : undefined
    // A template with a server's name before it stands for the address behind that.
    if (owner)
      return [{ ...owner, address: uri.slice(String(uriTemplate).length - owner.address.length) }]
  }
  return view.servers
    .filter(({ name }) => view.entryOf(name)?.capabilities['resources'] !== undefined)
    .map((server) => ({ server, address: uri }))
}

/** What servers of either era say of an address they do not know. */
const isNotFound = (error: unknown): boolean =>
  [-32002, -32602].includes(Number((error as { code?: unknown }).code))

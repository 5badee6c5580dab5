import { relayRequest } from '../../call/stages/relay-request.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import type { OwnedAddress } from '../../catalog/owned-addresses.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import type { JsonObject } from '../../protocol/message.ts'
import type { RequestContext } from '../../protocol/request-context.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import { matchesTemplate } from '../../protocol/uri-template.ts'
import type { Handler } from './handler-deps.ts'
import { cacheHint } from './list-tools.ts'

export const listResources: Handler = async (_params, { session, capabilities }, { gateway }) => {
  await gateway.discovery.discover(session, capabilities)
  const resources = [...gateway.viewFor({ session, capabilities }).resources]
  return session.era === 'modern' ? { resources, ...cacheHint } : { resources }
}

export const listResourceTemplates: Handler = async (
  _params,
  { session, capabilities },
  { gateway },
) => {
  await gateway.discovery.discover(session, capabilities)
  const resourceTemplates = [...gateway.viewFor({ session, capabilities }).resourceTemplates]
  return session.era === 'modern' ? { resourceTemplates, ...cacheHint } : { resourceTemplates }
}

export const readResource: Handler = async (params, context, { gateway }) => {
  const candidates = await candidatesFor(params, context, gateway)
  let failure: unknown
  for (const { server, address } of candidates) {
    const instance = gateway.instanceOf(server, context.session, context.capabilities)
    const message = { method: 'resources/read', params: { ...params, uri: address } }
    try {
      return await relayRequest(instance, message, context)
    } catch (error) {
      failure = error
      if (candidates.length > 1 && isNotFound(error)) continue
      throw error
    }
  }
  throw failure
}

export const subscribeResource: Handler = async (params, context, { gateway }) => {
  const [owner] = await candidatesFor(params, context, gateway)
  if (owner) await follow(owner, true, context, gateway)
  return {}
}

export const unsubscribeResource: Handler = async (params, context, { gateway }) => {
  const [owner] = await candidatesFor(params, context, gateway)
  if (owner) await follow(owner, false, context, gateway)
  return {}
}

/** The client, and its capabilities for this request. */
type Client = Pick<RequestContext, 'session' | 'capabilities'>

function follow(
  { server, address }: OwnedAddress,
  isRequested: boolean,
  { session, capabilities }: Client,
  gateway: Gateway,
): Promise<void> {
  const instance = gateway.instanceOf(server, session, capabilities)
  return gateway.clients.follow(instance, session, address, isRequested)
}

/**
 * Subscribes or unsubscribes resources of a subscription stream. Failures are ignored: the stream
 * cannot report errors of single resources.
 */
export async function followListened(
  uris: readonly string[],
  isRequested: boolean,
  client: Client,
  gateway: Gateway,
): Promise<void> {
  await Promise.allSettled(
    uris.map(async (uri) => {
      const [owner] = await candidatesFor({ uri }, client, gateway)
      if (owner) await follow(owner, isRequested, client, gateway)
    }),
  )
}

/**
 * Servers that may have the resource: the one that lists it or has a matching template, otherwise
 * all servers with resources.
 */
async function candidatesFor(
  params: JsonObject,
  { session, capabilities }: Client,
  gateway: Gateway,
): Promise<OwnedAddress[]> {
  const uri = String(params['uri'])
  let found = ownersIn(gateway.viewFor({ session, capabilities }), uri)
  if (found.length === 0) {
    await gateway.discovery.discover(session, capabilities)
    found = ownersIn(gateway.viewFor({ session, capabilities }), uri)
  }
  if (found.length > 0) return found
  throw new RpcError(rpcCodes.invalidParams, `Resource not found: ${uri}`, { uri })
}

function ownersIn(view: ToolView, uri: string): OwnedAddress[] {
  const listed = view.ownerOfResource(uri)
  if (listed) return [listed]
  for (const { uriTemplate } of view.resourceTemplates) {
    const owner = matchesTemplate(String(uriTemplate), uri)
      ? view.ownerOfTemplate(String(uriTemplate))
      : undefined
    // With a prefixed scheme, the URI at the server follows the prefix.
    if (owner)
      return [{ ...owner, address: uri.slice(String(uriTemplate).length - owner.address.length) }]
  }
  return view.servers
    .filter(({ name }) => view.entryOf(name)?.capabilities['resources'] !== undefined)
    .map((server) => ({ server, address: uri }))
}

/** Codes of both eras for an unknown URI. */
const isNotFound = (error: unknown): boolean =>
  [-32002, -32602].includes(Number((error as { code?: unknown }).code))

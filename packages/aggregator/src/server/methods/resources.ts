import { relayRequest } from '../../call/stages/relay-request.ts'
import type { Gateway } from '../../catalog/gateway.ts'
import { ownerByPrefix } from '../../catalog/own-links.ts'
import type { OwnedAddress } from '../../catalog/owned-addresses.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import { type JsonObject, RpcError, rpcCodes } from '../../protocol/message.ts'
import { taskIdIn } from '../../protocol/tasks.ts'
import { matchesTemplate } from '../../protocol/uri-template.ts'
import { type Client, findOrDiscover, listOf } from './discovered.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'
import { findTask } from './tasks.ts'

export const listResources: Handler = listOf('resources', (view) => view.resources)

export const listResourceTemplates: Handler = listOf(
  'resourceTemplates',
  (view) => view.resourceTemplates,
)

export const readResource: Handler = async (params, context, { gateway }) => {
  const candidates = await candidatesFor(params, context, gateway)
  let failure: unknown
  for (const { server, address } of candidates) {
    const instance = gateway.instanceOf(server, context.session, context.capabilities)
    const message = { method: 'resources/read', params: { ...params, uri: address } }
    try {
      return asRequested(await relayRequest(instance, message, context), address, params['uri'])
    } catch (error) {
      failure = error
      if (candidates.length > 1 && isNotFound(error)) continue
      throw error
    }
  }
  throw failure
}

/** The contents have the URI by which they were requested. */
function asRequested(result: JsonObject, address: string, uri: unknown): JsonObject {
  const { contents } = result
  if (address === uri || !Array.isArray(contents)) return result
  const own = contents.map((part) => (part?.uri === address ? { ...part, uri } : part))
  return { ...result, contents: own }
}

export const subscribeResource: Handler = async (params, context, deps) => {
  await follow(params, true, context, deps)
  return {}
}

export const unsubscribeResource: Handler = async (params, context, deps) => {
  await follow(params, false, context, deps)
  return {}
}

async function follow(
  params: JsonObject,
  isRequested: boolean,
  client: Client,
  deps: HandlerDeps,
): Promise<void> {
  const { gateway } = deps
  const taskId = taskIdIn(params['uri'])
  const [owner] = taskId
    ? [findTask(taskId, client, deps)]
    : await candidatesFor(params, client, gateway)
  if (owner === undefined) return
  const instance = gateway.instanceOf(owner.server, client.session, client.capabilities)
  const known = isRequested ? String(params['uri']) : undefined
  await gateway.clients.follow(instance, client.session, owner.address, known)
}

/**
 * Subscribes or unsubscribes resources of a subscription stream. Failures are ignored: the stream
 * cannot report errors of single resources.
 */
export async function followListened(
  uris: readonly string[],
  isRequested: boolean,
  client: Client,
  deps: HandlerDeps,
): Promise<void> {
  await Promise.allSettled(uris.map((uri) => follow({ uri }, isRequested, client, deps)))
}

/**
 * Servers that may have the resource: the one that lists it or has a matching template, otherwise
 * all servers with resources.
 */
async function candidatesFor(
  params: JsonObject,
  client: Client,
  gateway: Gateway,
): Promise<OwnedAddress[]> {
  const uri = String(params['uri'])
  const found = await findOrDiscover(client, gateway, (view) => ownersIn(view, uri))
  if (found !== undefined) return found
  throw new RpcError(rpcCodes.invalidParams, `Resource not found: ${uri}`, { uri })
}

function ownersIn(view: ToolView, uri: string): OwnedAddress[] | undefined {
  const listed = view.ownerOfResource(uri) ?? ownerByPrefix(view, uri)
  if (listed) return [listed]
  for (const { uriTemplate } of view.resourceTemplates) {
    const owner = matchesTemplate(String(uriTemplate), uri)
      ? view.ownerOfTemplate(String(uriTemplate))
      : undefined
    // With a prefixed scheme, the URI at the server follows the prefix.
    if (owner)
      return [{ ...owner, address: uri.slice(String(uriTemplate).length - owner.address.length) }]
  }
  const able = view.servers.filter(
    ({ name }) => view.entryOf(name)?.capabilities['resources'] !== undefined,
  )
  return able.length > 0 ? able.map((server) => ({ server, address: uri })) : undefined
}

/** Codes of both eras for an unknown URI. */
const isNotFound = (error: unknown): boolean =>
  [-32002, -32602].includes(Number((error as { code?: unknown }).code))

import { type JsonObject, RpcError, rpcCodes } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { taskIdIn } from '#servers/protocol/tasks'
import { decideRead } from '../../call/stages/decide.ts'
import { inTurn, recordRead, relayRead } from '../../call/stages/relay-read.ts'
import type { OwnedAddress } from '../../catalog/owned-addresses.ts'
import { type Client, listOf } from './discovered.ts'
import { findResource } from './find-resource.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'
import { findTask } from './tasks.ts'

export const listResources: Handler = listOf('resources', (view) => view.resources)

export const listResourceTemplates: Handler = listOf(
  'resourceTemplates',
  (view) => view.resourceTemplates,
)

export const readResource: Handler = async (params, context, deps) => {
  const { server, address } = await findResource(String(params['uri']), context, deps.gateway)
  const message = { method: 'resources/read', params: { ...params, uri: address } }
  const result = await relayRead(server, message, context, deps)
  if (isPinnedContent(address)) checkContent(result, { server, address }, params, deps)
  return asRequested(result, address, params['uri'])
}

/** Interfaces, which clients run, and files of skills, which models follow. */
const isPinnedContent = (uri: string): boolean => /^(?:ui|skill):/i.test(uri)

/** @throws {RpcError} if the content has changed since it was pinned */
function checkContent(
  { contents }: JsonObject,
  { server, address }: OwnedAddress,
  { uri }: JsonObject,
  { gateway }: HandlerDeps,
): void {
  const reason = gateway.trust.reviewContent(server, address, contents)
  if (reason !== undefined)
    throw new RpcError(rpcCodes.invalidParams, `${uri} is ${reason}.`, { uri })
}

/** The contents have the URI by which they were requested. */
function asRequested(result: JsonObject, address: string, uri: unknown): JsonObject {
  const { contents } = result
  if (address === uri || !Array.isArray(contents)) return result
  const parts = contents.map((part) => (part?.uri === address ? { ...part, uri } : part))
  return { ...result, contents: parts }
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
  client: Client & Partial<RequestContext>,
  deps: HandlerDeps,
): Promise<void> {
  const { gateway } = deps
  const uri = String(params['uri'])
  const taskId = taskIdIn(uri)
  const owner = taskId ? findTask(taskId, client, deps) : await findResource(uri, client, gateway)
  if (owner === undefined) return
  const { server, address } = owner
  const method = isRequested ? 'resources/subscribe' : 'resources/unsubscribe'
  const reader = { ...client, signal: client.signal ?? AbortSignal.timeout(server.timeoutMs) }
  const message = { method, params: { uri: address } }
  client.record?.calls({ server, tool: method, args: message.params })
  if (isRequested && taskId === undefined) await decideRead(server, message, client, deps)
  await inTurn(server, message, reader, deps, () => {
    const instance = gateway.instanceOf(server, client.session, client.capabilities)
    return gateway.clients.follow(instance, client.session, address, isRequested ? uri : undefined)
  })
}

/**
 * Subscribes or unsubscribes resources of a subscription stream, which cannot report errors of single
 * resources. Calls `onRefused` for those that failed.
 */
export async function followListened(
  uris: readonly string[],
  isRequested: boolean,
  client: Client,
  deps: HandlerDeps,
  onRefused: (uri: string) => void = () => {},
): Promise<void> {
  const method = isRequested ? 'resources/subscribe' : 'resources/unsubscribe'
  await Promise.allSettled(
    uris.map((uri) =>
      recordRead({ method, params: { uri } }, client, deps, async (recorded) => {
        await follow({ uri }, isRequested, recorded, deps)
        return {}
      }).catch(() => onRefused(uri)),
    ),
  )
}

import { type JsonObject, RpcError, rpcCodes } from '#servers/protocol/message'
import { relayRead } from '../../call/stages/relay-read.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import { findOrDiscover } from './discovered.ts'
import type { Handler } from './handler-deps.ts'

/** Completes arguments of prompts and resource templates. */
export const complete: Handler = async (params, context, deps) => {
  const { gateway } = deps
  const ref = (params['ref'] ?? {}) as JsonObject
  const target = await findOrDiscover(context, gateway, (view) => ownRef(ref, view))
  if (target === undefined)
    throw new RpcError(
      rpcCodes.invalidParams,
      `No prompt or resource matches the reference ${JSON.stringify(ref)}.`,
    )
  const message = { method: 'completion/complete', params: { ...params, ref: target.ref } }
  return relayRead(target.server, message, context, deps)
}

/** The server of a reference, and the reference at that server. */
function ownRef(
  ref: JsonObject,
  view: ToolView,
): { server: ToolView['servers'][number]; ref: JsonObject } | undefined {
  if (ref['type'] === 'ref/prompt') {
    const prompt = view.promptCalled(String(ref['name']))
    return prompt && { server: prompt.server, ref: { ...ref, name: prompt.upstreamName } }
  }
  const uri = String(ref['uri'])
  const owner = view.ownerOfTemplate(uri) ?? view.ownerOfResource(uri)
  return owner && { server: owner.server, ref: { ...ref, uri: owner.address } }
}

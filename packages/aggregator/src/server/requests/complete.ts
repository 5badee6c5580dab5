import { relayRequest } from '../../call/relay-request.ts'
import type { View } from '../../catalog/view.ts'
import type { Fields } from '../../protocol/message.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import type { Handler } from './serving.ts'

/** Completion of arguments, for prompts by their name and for templates by their text. */
export const complete: Handler = async (params, exchange, { gateway }) => {
  const { session, capabilities } = exchange
  const ref = (params['ref'] ?? {}) as Fields
  let found = ownRef(ref, gateway.viewFor({ session, capabilities }))
  if (found === undefined) {
    await gateway.discover(session, capabilities)
    found = ownRef(ref, gateway.viewFor({ session, capabilities }))
  }
  if (found === undefined)
    throw new RpcError(rpcCodes.invalidParams, `Nothing has the reference ${JSON.stringify(ref)}.`)
  const instance = gateway.instanceOf(found.server, session, capabilities)
  const message = { method: 'completion/complete', params: { ...params, ref: found.ref } }
  return relayRequest(instance, message, exchange)
}

/** Whose the reference is, as it is called there. */
function ownRef(
  ref: Fields,
  view: View,
): { server: View['servers'][number]; ref: Fields } | undefined {
  if (ref['type'] === 'ref/prompt') {
    const prompt = view.promptCalled(String(ref['name']))
    return prompt && { server: prompt.server, ref: { ...ref, name: prompt.upstreamName } }
  }
  const uri = String(ref['uri'])
  const owner = view.ownerOfTemplate(uri) ?? view.ownerOfResource(uri)
  return owner && { server: owner.server, ref: { ...ref, uri: owner.address } }
}

import { relayRequest } from '../../call/stages/relay-request.ts'
import { ownerByPrefix, uriShownBy } from '../../catalog/own-links.ts'
import type { OwnedAddress } from '../../catalog/owned-addresses.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import { isJsonObject, type JsonObject, RpcError, rpcCodes } from '../../protocol/message.ts'
import type { RequestContext } from '../../protocol/request-context.ts'
import { hasSkills, withSkillUris } from '../../protocol/skills.ts'
import { findOrDiscover, listOf } from './discovered.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'

export const listSkills: Handler = listOf('skills', (view) => view.skills)

/** A skill that its server does not list can be read by its URI, unless it is held. */
export const getSkill: Handler = async (params, context, { gateway }) => {
  const { result, shown } = await relayToOwner('skills/get', params, context, gateway)
  const { skill } = result
  return isJsonObject(skill) ? { ...result, skill: withSkillUris(skill, shown) } : result
}

export const readDirectory: Handler = async (params, context, { gateway }) => {
  const method = 'resources/directory/read'
  const { result, shown } = await relayToOwner(method, params, context, gateway)
  const { resources } = result
  if (!Array.isArray(resources)) return result
  return { ...result, resources: resources.map((one: JsonObject) => withSkillUris(one, shown)) }
}

async function relayToOwner(
  method: string,
  params: JsonObject,
  context: RequestContext,
  gateway: HandlerDeps['gateway'],
) {
  const uri = String(params['uri'])
  const owner = await findOrDiscover(context, gateway, (view) => ownerOf(uri, view))
  if (owner === undefined)
    throw new RpcError(rpcCodes.invalidParams, `There is no skill at ${uri}.`, { uri })
  const { server, address } = owner
  const instance = gateway.instanceOf(server, context.session, context.capabilities)
  const message = { method, params: { ...params, uri: address } }
  const result = await relayRequest(instance, message, context)
  return { result, shown: uriShownBy(server, gateway.viewFor(context)) }
}

/** Without prefixes, a URI that no server lists is the only skill server's. */
function ownerOf(uri: string, view: ToolView): OwnedAddress | undefined {
  const known = view.ownerOfSkill(uri) ?? ownerByPrefix(view, uri)
  if (known !== undefined) return view.isHeldSkill(known) ? undefined : known
  const able = view.servers.filter(({ name }) => hasSkills(view.entryOf(name)?.capabilities ?? {}))
  const [server] = able
  if (view.withServer || server === undefined || able.length > 1) return undefined
  return view.isHeldSkill({ server, address: uri }) ? undefined : { server, address: uri }
}

import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { withSkillUris } from '#servers/protocol/skills'
import { relayRead } from '../../call/stages/relay-read.ts'
import { uriShownBy } from '../../catalog/own-links.ts'
import { listOf } from './discovered.ts'
import { findResource } from './find-resource.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'

export const listSkills: Handler = listOf('skills', (view) => view.skills)

/** A skill that its server does not list can be read by its URI, unless it is held. */
export const getSkill: Handler = async (params, context, deps) => {
  const { result, expose } = await relayToOwner('skills/get', params, context, deps)
  const { skill } = result
  return isJsonObject(skill) ? { ...result, skill: withSkillUris(skill, expose) } : result
}

export const readDirectory: Handler = async (params, context, deps) => {
  const { result, expose } = await relayToOwner('resources/directory/read', params, context, deps)
  const { resources } = result
  if (!Array.isArray(resources)) return result
  return { ...result, resources: resources.map((item: JsonObject) => withSkillUris(item, expose)) }
}

async function relayToOwner(
  method: string,
  params: JsonObject,
  context: RequestContext,
  deps: HandlerDeps,
) {
  const { server, address } = await findResource(String(params['uri']), context, deps.gateway)
  const message = { method, params: { ...params, uri: address } }
  const result = await relayRead(server, message, context, deps)
  return { result, expose: uriShownBy(server, deps.gateway.viewFor(context)) }
}

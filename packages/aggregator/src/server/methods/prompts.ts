import { relayRequest } from '../../call/stages/relay-request.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import type { Handler } from './handler-deps.ts'
import { cacheHint } from './list-tools.ts'

export const listPrompts: Handler = async (_params, { session, capabilities }, { gateway }) => {
  await gateway.discovery.discover(session, capabilities)
  const prompts = gateway
    .viewFor({ session, capabilities })
    .prompts.map(({ definition, exposed }) =>
      definition['name'] === exposed ? definition : { ...definition, name: exposed },
    )
  return session.era === 'modern' ? { prompts, ...cacheHint } : { prompts }
}

export const getPrompt: Handler = async (params, context, { gateway }) => {
  const { session, capabilities } = context
  const name = String(params['name'])
  const find = () => gateway.viewFor({ session, capabilities }).promptCalled(name)
  let prompt = find()
  if (prompt === undefined) {
    await gateway.discovery.discover(session, capabilities)
    prompt = find()
  }
  if (prompt === undefined)
    throw new RpcError(rpcCodes.invalidParams, `There is no prompt ${JSON.stringify(name)}.`, {
      name,
    })
  const instance = gateway.instanceOf(prompt.server, session, capabilities)
  const message = { method: 'prompts/get', params: { ...params, name: prompt.upstreamName } }
  return relayRequest(instance, message, context)
}

import { relayRequest } from '../../call/stages/relay-request.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import { findOrDiscover, listOf } from './discovered.ts'
import type { Handler } from './handler-deps.ts'

export const listPrompts: Handler = listOf('prompts', ({ prompts }) =>
  prompts.map(({ definition, exposed }) =>
    definition['name'] === exposed ? definition : { ...definition, name: exposed },
  ),
)

export const getPrompt: Handler = async (params, context, { gateway }) => {
  const name = String(params['name'])
  const prompt = await findOrDiscover(context, gateway, (view) => view.promptCalled(name))
  if (prompt === undefined)
    throw new RpcError(rpcCodes.invalidParams, `There is no prompt ${JSON.stringify(name)}.`, {
      name,
    })
  const instance = gateway.instanceOf(prompt.server, context.session, context.capabilities)
  const message = { method: 'prompts/get', params: { ...params, name: prompt.upstreamName } }
  return relayRequest(instance, message, context)
}

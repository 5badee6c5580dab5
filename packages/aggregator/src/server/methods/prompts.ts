import { RpcError, rpcCodes } from '#servers/protocol/message'
import { relayRead } from '../../call/stages/relay-read.ts'
import { takeAccount, unitFor, withAccountArgument } from '../../catalog/account-parameter.ts'
import { findOrDiscover, listOf } from './discovered.ts'
import type { Handler } from './handler-deps.ts'

export const listPrompts: Handler = listOf('prompts', (view) =>
  view.prompts.map((prompt) => {
    const definition = withAccountArgument(prompt, view)
    const { exposed } = prompt
    return definition['name'] === exposed ? definition : { ...definition, name: exposed }
  }),
)

export const getPrompt: Handler = async (params, context, deps) => {
  const { gateway } = deps
  const name = String(params['name'])
  const prompt = await findOrDiscover(context, gateway, (view) => view.promptCalled(name))
  if (prompt === undefined)
    throw new RpcError(rpcCodes.invalidParams, `There is no prompt ${JSON.stringify(name)}.`, {
      name,
    })
  const view = gateway.viewFor(context)
  const { account, args } = takeAccount(prompt, params['arguments'], view)
  const server = account === undefined ? prompt.server : unitFor(prompt.server, account, view)
  const sentParams = {
    ...params,
    name: prompt.upstreamName,
    ...(args !== undefined && { arguments: args }),
  }
  const message = { method: 'prompts/get', params: sentParams }
  return relayRead(server, message, context, deps)
}

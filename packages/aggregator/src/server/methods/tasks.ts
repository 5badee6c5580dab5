import { createRecord } from '../../call/journal/call-record.ts'
import { ownerOf } from '../../call/stages/caller.ts'
import { relayRequest } from '../../call/stages/relay-request.ts'
import { isListedApp } from '../../call/stages/rules.ts'
import type { TaskAddress } from '../../call/stages/task-ids.ts'
import { withOwnLinks } from '../../catalog/own-links.ts'
import { isJsonObject, type JsonObject, RpcError, rpcCodes } from '../../protocol/message.ts'
import type { RequestContext } from '../../protocol/request-context.ts'
import { missingTasks, takesTasks } from '../../protocol/tasks.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'

export const taskMethods = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

/** Forwards a request about a task to its server. The result of the task is that of a call. */
export const relayTaskRequest =
  (method: (typeof taskMethods)[number]): Handler =>
  async (params, context, deps) => {
    if (context.session.era === 'legacy')
      throw new RpcError(rpcCodes.methodNotFound, 'Method not found')
    if (!takesTasks(context.capabilities)) throw missingTasks()
    const view = deps.gateway.viewFor(context)
    const address = deps.taskIds.open(params['taskId'], ownerOf(context.session))
    const { name, account } = address?.server ?? { name: '' }
    const offered = view.servers.find((one) => one.name === name)
    const server = offered && account ? view.withAccount(name, account) : offered
    if (address === undefined || server === undefined) throw unknownTask(params['taskId'])
    const instance = deps.gateway.instanceOf(server, context.session, context.capabilities)
    const message = { method, params: { ...params, taskId: address.taskId } }
    const state = await relayRequest(instance, message, context)
    const own = state['taskId'] === undefined ? state : { ...state, taskId: params['taskId'] }
    const { result } = own
    if (!isJsonObject(result)) return own
    return { ...own, result: await delivered(result, address, context, deps) }
  }

/** The result of a call, as its tool would have returned it, with its line in the journal. */
async function delivered(
  result: JsonObject,
  { server, tool, taskId }: TaskAddress,
  context: RequestContext,
  { gateway, results, listModes, recording, limits }: HandlerDeps,
): Promise<JsonObject> {
  const view = gateway.viewFor(context)
  const record = createRecord(
    context.session,
    { kind: 'meta', tool: 'tasks/get', args: {} },
    recording,
  )
  record.calls({ server, tool, args: { taskId } })
  record.result(result)
  const known = view.tool(server.name, tool)
  const { isVerbatim } = await listModes.listModeOf(view)
  const own = known ? withOwnLinks(result, known.server, () => view) : result
  const isWhole = isVerbatim || (known !== undefined && isListedApp(known, view))
  const sent = isWhole ? own : await results.of(ownerOf(context.session)).fit(own)
  limits.recordUsage(context.session, await record.end({ sent }))
  return sent
}

const unknownTask = (id: unknown): RpcError =>
  new RpcError(
    rpcCodes.invalidParams,
    `There is no task ${JSON.stringify(id)}: it was made by another caller, before a restart, or never. Call the tool again.`,
  )

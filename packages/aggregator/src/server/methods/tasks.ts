import { isJsonObject, type JsonObject, RpcError, rpcCodes } from '#servers/protocol/message'
import type { Session } from '#servers/protocol/request-context'
import { qualifiedName } from '#servers/protocol/server-account'
import { missingTasks, takesTasks, taskIdIn, taskUri } from '#servers/protocol/tasks'
import { createRecord } from '../../call/journal/call-record.ts'
import { ownerOf } from '../../call/stages/caller.ts'
import { relayRequest } from '../../call/stages/relay-request.ts'
import { isListedApp } from '../../call/stages/rules.ts'
import { shapeResult } from '../../call/stages/shape-result.ts'
import type { TaskAddress } from '../../call/stages/task-ids.ts'
import { withOwnLinks } from '../../catalog/own-links.ts'
import type { OwnedAddress } from '../../catalog/owned-addresses.ts'
import type { Client } from './discovered.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'

export const taskMethods = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

/** Forwards a request about a task to its server. The result of the task is that of a call. */
export const relayTaskRequest =
  (method: (typeof taskMethods)[number]): Handler =>
  async (params, context, deps) => {
    if (context.session.era === 'legacy')
      throw new RpcError(rpcCodes.methodNotFound, 'Method not found')
    if (!takesTasks(context.capabilities)) throw missingTasks()
    const { taskId } = params
    const target = findTask(taskId, context, deps)
    if (target === undefined) throw unknownTask(taskId)
    const { server, task } = target
    const message = { method, params: { ...params, taskId: task.taskId } }
    const instance = deps.gateway.instanceOf(server, context.session, context.capabilities)
    // The server is still at work on the call, which holds a slot of its own.
    context.record?.calls({ server, tool: method, args: {} })
    const state = await relayRequest(instance, message, context)
    const clientState = state['taskId'] === undefined ? state : { ...state, taskId }
    return withResult(clientState, task, context, deps)
  }

/** A task of the client by its id there; the address is that of a subscription at the server. */
export function findTask(
  id: unknown,
  client: Client,
  { gateway, taskIds }: HandlerDeps,
): (OwnedAddress & { task: TaskAddress }) | undefined {
  const { session, capabilities } = client
  const task = takesTasks(capabilities) && taskIds.open(id, ownerOf(session))
  if (!task) return undefined
  const { name, account } = task.server
  const view = gateway.viewFor(client)
  const offered = view.servers.find((candidate) => candidate.name === name)
  const server = offered && account ? view.withAccount(name, account) : offered
  return server && { server, task, address: taskUri(task.taskId) }
}

/** Reports a task as a resource: the SDK sends nothing else on the streams that name it. */
export async function reportTask(
  state: JsonObject,
  uri: string,
  session: Session,
  deps: HandlerDeps,
): Promise<void> {
  const client = { session, capabilities: session.capabilities }
  const task = deps.taskIds.open(taskIdIn(uri), ownerOf(session))
  if (task === undefined) return
  const clientState = shownState(state, task, client, deps)
  const finalState = await withResult(clientState, task, client, deps)
  session.notify({ method: 'notifications/resources/updated', params: { ...finalState, uri } })
}

/** A state with its questions as the client may be shown them; without those that it may not. */
function shownState(
  state: JsonObject,
  { server }: TaskAddress,
  { session, capabilities }: Client,
  { gateway, onLog }: HandlerDeps,
): JsonObject {
  const unit = gateway.fleet.units.get(qualifiedName(server))
  const { inputRequests, ...rest } = state
  if (unit === undefined) return rest
  try {
    const { questions } = gateway.instanceOf(unit, session, capabilities)
    return questions.admitIn(state, { session, asked: 0 })
  } catch (error) {
    onLog((error as Error).message)
    return rest
  }
}

/** Its result is that of a call, as its tool would have returned it, with a line in the journal. */
async function withResult(
  state: JsonObject,
  { server, tool, taskId }: TaskAddress,
  client: Client,
  deps: HandlerDeps,
): Promise<JsonObject> {
  const { result } = state
  if (!isJsonObject(result)) return state
  const { session } = client
  const { gateway, results, recording, limits } = deps
  const view = gateway.viewFor(client)
  const record = createRecord(client, { kind: 'meta', tool: 'tasks/get', args: {} }, recording)
  record.calls({ server, tool, args: { taskId } })
  record.result(result)
  const catalogTool = view.tool(server.name, tool)
  const { mode } = session.access ?? {}
  const listModes = mode ? deps.listModesBy[mode] : deps.listModes
  const { isVerbatim } = listModes.listModeOf(view)
  const exposedResult = catalogTool
    ? withOwnLinks(shapeResult(result, catalogTool), catalogTool.server, () => view)
    : result
  const isWhole = isVerbatim || (catalogTool !== undefined && isListedApp(catalogTool, view))
  const sent = isWhole ? exposedResult : await results.of(ownerOf(session)).reply(exposedResult, {})
  limits.recordUsage(session, await record.end({ sent }))
  return { ...state, result: sent }
}

const unknownTask = (id: unknown): RpcError =>
  new RpcError(
    rpcCodes.invalidParams,
    `There is no task ${JSON.stringify(id)}: it was made by another caller, before a restart, or never. Call the tool again.`,
  )

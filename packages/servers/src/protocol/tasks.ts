import { isJsonObject, type JsonObject, metaKeys, RpcError, rpcCodes } from './message.ts'

/** Tasks (SEP-2663): a server may answer a call with a handle, whose result is asked for later. */
const tasksExtension = 'io.modelcontextprotocol/tasks'

/** True if the client can have a task instead of a result. */
export const takesTasks = ({ extensions }: JsonObject): boolean =>
  isJsonObject(extensions) && extensions[tasksExtension] !== undefined

export const withTasks = (capabilities: JsonObject): JsonObject => {
  const { extensions } = capabilities
  const declared = isJsonObject(extensions) ? extensions : {}
  return { ...capabilities, extensions: { ...declared, [tasksExtension]: {} } }
}

export const missingTasks = (): RpcError =>
  new RpcError(rpcCodes.missingCapability, 'Missing required client capability', {
    requiredCapabilities: { extensions: { [tasksExtension]: {} } },
  })

/** Clients name tasks in the filter of a stream. They are kept as resources; no URI has a space. */
const uriPrefix = `${tasksExtension} `
export const taskUri = (taskId: unknown): string => `${uriPrefix}${taskId}`
export const taskIdIn = (uri: unknown): string | undefined =>
  String(uri).startsWith(uriPrefix) ? String(uri).slice(uriPrefix.length) : undefined

/** The SDK's client declares what the client of its connection can do, which may be no tasks. */
export function declareTasks<T extends object>(message: T): T {
  const { params } = message as { params?: { notifications?: JsonObject; _meta?: JsonObject } }
  if (!params?.notifications?.['taskIds']) return message
  const capabilities = (params._meta?.[metaKeys.capabilities] ?? {}) as JsonObject
  const meta = { ...params._meta, [metaKeys.capabilities]: withTasks(capabilities) }
  return { ...message, params: { ...params, _meta: meta } }
}

/** The state of a task, as its server reports it. */
export interface Task extends JsonObject {
  taskId: string
  status: string
}

/** Key of our own; the SDK's client rejects results of other types than its own. */
const marker = 'io.github.pith-mcp/resultType'

/** Let a result that is a task pass through the SDK; `taskIn` finds it again. */
export function markTask(message: object): void {
  const { result } = message as { result?: unknown }
  if (!isJsonObject(result) || result['resultType'] !== 'task') return
  result['resultType'] = 'complete'
  result[marker] = 'task'
  result['content'] ??= []
}

/** The task that a call was answered with: of 2026-07-28, or of 2025-11-25. */
export function taskIn(result: JsonObject): Task | undefined {
  const { task, content, ...rest } = result
  if (result[marker] === 'task') return isTask(rest) ? unmarked(rest) : undefined
  return content === undefined && isTask(task) ? task : undefined
}

const unmarked = ({ [marker]: _, ...task }: Task): Task => task as Task

const isTask = (value: unknown): value is Task =>
  isJsonObject(value) && typeof value['taskId'] === 'string' && typeof value['status'] === 'string'

const ended = new Set(['completed', 'failed', 'cancelled'])
export const hasEnded = ({ status }: Task): boolean => ended.has(status)

/** Tools of 2025-11-25 that run as a task only. */
export const isTaskOnly = (tool: JsonObject | undefined): boolean =>
  isJsonObject(tool?.['execution']) && tool['execution']['taskSupport'] === 'required'

/** Such a tool is called as one here, so that clients can call it as any other. */
export function asPlainTool(tool: JsonObject): JsonObject {
  if (!isTaskOnly(tool)) return tool
  const { execution: _, ...plainTool } = tool
  return plainTool
}

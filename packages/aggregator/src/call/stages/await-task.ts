import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '#servers/connection/connection'
import type { Deadline } from '#servers/connection/deadline'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { abortSignalOf, type Cancellable } from '#servers/protocol/cancellation'
import {
  isJsonObject,
  type JsonObject,
  type Message,
  rpcCodes,
  serverRpcError,
} from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { hasEnded, type Task } from '#servers/protocol/tasks'

/** Milliseconds between two questions for the state, if the server names no interval. */
const defaultIntervalMs = 1_000
const minIntervalMs = 50
const maxIntervalMs = 30_000
/** Milliseconds after which a task that names no end is cancelled. */
const maxTaskMs = 24 * 3_600_000

interface TaskCall {
  connection: Connection
  context: RequestContext
  deadline: Deadline
  /** `_meta` of the call. */
  meta: unknown
  /** A state with the questions as a client is shown them. */
  admit: (state: JsonObject) => JsonObject
}

/**
 * The result of a task, for a client that cannot ask for it itself. Its states become progress, and
 * its questions are put to the client.
 * @throws {RpcError} with the error of the task, or if the server cancelled it
 */
export async function awaitTask(task: Task, call: TaskCall): Promise<JsonObject> {
  const { connection, context, deadline } = call
  const { taskId } = task
  const { progressToken: _, ...meta } = (call.meta ?? {}) as JsonObject
  const token = context.passthrough.meta?.['progressToken']
  const request = (method: string, params: JsonObject = {}, signal?: Cancellable) =>
    connection.request({ method, params: { ...params, taskId, _meta: meta } }, { signal })
  const ask = (method: string, params?: JsonObject) => request(method, params, deadline.signal)
  const askedKeys = new Set<string>()
  const endsAt = Date.now() + Number(task['ttlMs'] ?? task['ttl'] ?? maxTaskMs)
  let state = task
  try {
    for (let count = 1; !hasEnded(state); count++) {
      const { status, statusMessage } = state
      const progress = { progress: count, message: statusMessage ?? status, progressToken: token }
      if (token !== undefined)
        context.notify({ method: 'notifications/progress', params: progress })
      if (status === 'input_required' && connection.era === 'legacy') break
      await answerQuestions(state, askedKeys, ask, call)
      if (Date.now() > endsAt) throw tooLong(taskId)
      await sleep(intervalOf(state), undefined, { signal: abortSignalOf(deadline.signal) })
      state = (await ask('tasks/get')) as Task
      deadline.alive()
    }
    // A server of 2025 has its own request for the result, during which it asks its questions.
    return connection.era === 'legacy' ? await ask('tasks/result') : resultOf(state)
  } catch (error) {
    // Best effort: the caller gets the first error.
    if (!hasEnded(state)) request('tasks/cancel').catch(() => {})
    throw deadline.signal.aborted ? deadline.signal.reason : error
  }
}

function intervalOf(state: Task): number {
  const interval = Number(state['pollIntervalMs'] ?? state['pollInterval'] ?? defaultIntervalMs)
  return Math.min(Math.max(interval || defaultIntervalMs, minIntervalMs), maxIntervalMs)
}

async function answerQuestions(
  { inputRequests: requests }: Task,
  askedKeys: Set<string>,
  request: (method: string, params: JsonObject) => Promise<JsonObject>,
  { context, deadline, admit }: TaskCall,
): Promise<void> {
  const open = Object.entries(isJsonObject(requests) ? requests : {})
  const fresh = open.filter(([key]) => !askedKeys.has(key))
  if (fresh.length === 0) return
  for (const [key] of fresh) askedKeys.add(key)
  const { inputRequests } = admit({ inputRequests: Object.fromEntries(fresh) })
  const inputResponses = await askAll(inputRequests as Record<string, Message>, context, deadline)
  await request('tasks/update', { inputResponses })
  deadline.alive()
}

function resultOf({ status, statusMessage, result, error }: Task): JsonObject {
  if (status === 'completed' && isJsonObject(result)) return result
  if (isJsonObject(error)) {
    const { code, message, data } = error
    throw serverRpcError(
      typeof code === 'number' ? code : rpcCodes.internal,
      String(message ?? statusMessage ?? 'the task failed'),
      data,
    )
  }
  throw serverRpcError(rpcCodes.internal, `The task was ${status}: ${statusMessage ?? 'no reason'}`)
}

const tooLong = (taskId: string): AggregatorError =>
  new AggregatorError(
    'timeout',
    `The task ${taskId} had no result when its time was over. It was cancelled.`,
    'Call the tool again, with less to do if it has parameters for that.',
  )

/** The answers by the keys of the questions. While a user is asked, no time passes. */
export async function askAll(
  questions: Record<string, Message>,
  context: RequestContext,
  deadline: Deadline,
): Promise<JsonObject> {
  const resume = deadline.pause()
  try {
    const answers = await Promise.all(
      Object.entries(questions).map(async ([key, question]) => [
        key,
        await context.ask(question, deadline.signal),
      ]),
    )
    return Object.fromEntries(answers) as JsonObject
  } finally {
    resume()
  }
}

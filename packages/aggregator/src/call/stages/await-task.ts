import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { isJsonObject, type JsonObject, type Message } from '../../protocol/message.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import { hasEnded, type Task } from '../../protocol/tasks.ts'
import type { Connection } from '../../upstream/connection/connection.ts'
import type { Deadline } from '../../upstream/connection/deadline.ts'

/** Milliseconds between two questions for the state, if the server names no interval. */
const usualMs = 1_000
const leastMs = 50
const mostMs = 30_000
/** Milliseconds after which a task that names no end is cancelled. */
const longestMs = 24 * 3_600_000

interface TaskCall {
  connection: Connection
  deadline: Deadline
  /** `_meta` of each request about the task. */
  meta: JsonObject | undefined
  /** Asks the client for the input that the server requests; by key. */
  ask(questions: Record<string, Message>): Promise<JsonObject>
  report(progress: JsonObject): void
}

/**
 * The result of a task, for a client that cannot ask for it itself. Its states become progress, and
 * its questions are put to the client.
 * @throws {RpcError} with the error of the task, or if the server cancelled it
 */
export async function awaitTask(task: Task, call: TaskCall): Promise<JsonObject> {
  const { connection, deadline, meta } = call
  const { taskId } = task
  const request = (method: string, params: JsonObject = {}): Promise<JsonObject> =>
    connection.request(
      { method, params: { ...params, taskId, ...(meta && { _meta: meta }) } },
      { signal: deadline.signal },
    )
  const asked = new Set<string>()
  const endsAt = Date.now() + Number(task['ttlMs'] ?? task['ttl'] ?? longestMs)
  let state = task
  try {
    for (let count = 1; !hasEnded(state); count++) {
      const { status, statusMessage } = state
      call.report({ progress: count, message: String(statusMessage ?? status) })
      if (status === 'input_required' && connection.era === 'legacy') break
      await answerQuestions(state, asked, request, call)
      if (Date.now() > endsAt) throw tooLong(taskId)
      await sleep(intervalOf(state), undefined, { signal: deadline.signal })
      state = (await request('tasks/get')) as Task
      deadline.alive()
    }
    // A server of 2025 has its own request for the result, during which it asks its questions.
    return connection.era === 'legacy' ? await request('tasks/result') : resultOf(state)
  } catch (error) {
    if (!hasEnded(state)) cancel(taskId, call)
    throw deadline.signal.aborted ? deadline.signal.reason : error
  }
}

function intervalOf(state: Task): number {
  const named = Number(state['pollIntervalMs'] ?? state['pollInterval'] ?? usualMs)
  return Math.min(Math.max(named || usualMs, leastMs), mostMs)
}

async function answerQuestions(
  { inputRequests }: Task,
  asked: Set<string>,
  request: (method: string, params: JsonObject) => Promise<JsonObject>,
  { ask, deadline }: TaskCall,
): Promise<void> {
  const open = Object.entries(isJsonObject(inputRequests) ? inputRequests : {})
  const fresh = open.filter(([key]) => !asked.has(key))
  if (fresh.length === 0) return
  for (const [key] of fresh) asked.add(key)
  const inputResponses = await ask(Object.fromEntries(fresh) as Record<string, Message>)
  await request('tasks/update', { inputResponses })
  deadline.alive()
}

function resultOf({ status, statusMessage, result, error }: Task): JsonObject {
  if (status === 'completed' && isJsonObject(result)) return result
  if (isJsonObject(error)) {
    const { code, message, data } = error
    throw new RpcError(
      typeof code === 'number' ? code : rpcCodes.internal,
      String(message ?? statusMessage ?? 'the task failed'),
      isJsonObject(data) ? data : undefined,
    )
  }
  throw new RpcError(rpcCodes.internal, `The task was ${status}: ${statusMessage ?? 'no reason'}`)
}

const tooLong = (taskId: string): AggregatorError =>
  new AggregatorError(
    'timeout',
    `The task ${taskId} had no result when its time was over. It was cancelled.`,
    'Call the tool again, with less to do if it has parameters for that.',
  )

/** Best effort: the reason for which nobody waits any more is what counts. */
function cancel(taskId: string, { connection, meta }: TaskCall): void {
  const params = { taskId, ...(meta && { _meta: meta }) }
  connection.request({ method: 'tasks/cancel', params }).catch(() => {})
}

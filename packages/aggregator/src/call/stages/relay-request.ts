import { setTimeout as sleep } from 'node:timers/promises'
import type { Span, Traced } from '#base/tracing'
import type { Connection } from '#servers/connection/connection'
import { createDeadline, type Deadline } from '#servers/connection/deadline'
import { lowerLogLevel } from '#servers/connection/log-levels'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { isDeeper, maxMessageDepth } from '#servers/protocol/is-deeper'
import { type JsonObject, type Message, metaKeys, serverRpcError } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { qualifiedName, type ServerAccount, safeName } from '#servers/protocol/server-account'
import { isTaskOnly, taskIn, withTasks } from '#servers/protocol/tasks'
import { outcomeOf, traced } from '#servers/protocol/tracing'
import type { Instance } from '../../upstream/instance.ts'
import type { QuestionCount } from '../../upstream/questions.ts'
import { askAll, awaitTask } from './await-task.ts'

/** Maximum number of input requests of a modern server in one request. */
const maxRounds = 16

/**
 * Sends a client request to a server and forwards everything that belongs to it: progress,
 * cancellation, log messages, server requests, trace context. Resolves to the server's result,
 * without its `serverInfo`. `toolOf` returns the definition of the called tool, or rejects if it
 * must not be called. Rejects with the server's own error, or with an `AggregatorError` if the
 * server did not answer.
 */
export async function relayRequest(
  instance: Instance,
  message: Message,
  context: RequestContext,
  toolOf: ToolOf = async () => undefined,
): Promise<JsonObject> {
  const span = context.span?.child(aboutOf(instance.server, message))
  const tracedContext = span === undefined ? context : withMetaOf(context, span)
  return traced(span, () => relay(instance, message, tracedContext, toolOf), outcomeOf)
}

/** The server gets the trace context of the span that covers its part. */
function withMetaOf(context: RequestContext, span: Span): RequestContext {
  const { passthrough } = context
  return { ...context, passthrough: { ...passthrough, meta: span.metaFor(passthrough.meta) } }
}

type ToolOf = (connection: Connection) => Promise<JsonObject | undefined>

async function relay(
  instance: Instance,
  message: Message,
  context: RequestContext,
  toolOf: ToolOf,
): Promise<JsonObject> {
  const { server } = instance
  const { maxConcurrency } = server.limits ?? {}
  const tool = String(message.params?.['name'] ?? '')
  const isLater = instance.connection?.era === 'modern'
  const turn =
    !isLater && maxConcurrency === undefined && message.method === 'tools/call'
      ? await instance.requests.turns.take(context.session, tool, context.signal)
      : undefined
  const deadline = createDeadline(server.timeoutMs, context.signal)
  const count = { session: context.session, asked: 0 }
  const leave = instance.requests.begin(context, deadline, count, turn !== undefined)
  let isCounted = false
  try {
    const result = await instance.use(async (connection) => {
      const tool = await toolOf(connection)
      // Counted once, also if the request is repeated.
      if (message.method === 'tools/call' && !isCounted) instance.recordCall()
      isCounted = true
      return send(connection, message, { context, deadline, tool, instance, count })
    }, deadline.signal)
    return instance.redactIn(result)
  } catch (error) {
    if (!deadline.isPassed) throw withoutSecrets(error, instance)
    instance.suspect()
    throw new AggregatorError(
      'timeout',
      `The server ${server.name} did not answer ${message.method} within ${server.timeoutMs / 1000} s and reported no progress. The call was cancelled.`,
      `If it needs longer, raise timeoutSeconds of ${server.name} in the configuration.`,
      error,
    )
  } finally {
    leave()
    turn?.end(count.asked > 0)
    deadline.clear()
  }
}

function aboutOf(server: ServerAccount & { type: string }, { method, params }: Message): Traced {
  const { name } = params ?? {}
  const tool = typeof name === 'string' ? safeName(name) : undefined
  const transport = server.type === 'stdio' ? 'pipe' : 'tcp'
  return { method, tool, server: qualifiedName(server), transport }
}

interface Sending {
  context: RequestContext
  deadline: Deadline
  /** The called tool. */
  tool: JsonObject | undefined
  instance: Instance
  count: QuestionCount
}

async function send(
  connection: Connection,
  message: Message,
  { context, deadline, tool, instance, count }: Sending,
): Promise<JsonObject> {
  const { logLevel, meta, retry, takes } = context.passthrough
  if (logLevel !== undefined) await lowerLogLevel(connection, logLevel)
  if (instance.requests.owesRoots(context.capabilities))
    connection.notify({ method: 'notifications/roots/list_changed' })
  const token = meta?.['progressToken']
  const options = {
    signal: deadline.signal,
    tool,
    ...(token !== undefined && {
      onProgress(progress: JsonObject) {
        deadline.alive()
        const params = { ...instance.redactIn(progress), progressToken: token }
        context.notify({ method: 'notifications/progress', params })
      },
    }),
  }
  const isTask = connection.era === 'legacy' && isTaskOnly(tool)
  const callParams = { ...message.params, ...retry, ...(isTask && { task: {} }) }
  let params = withMeta(callParams, context, connection, instance)
  for (let round = 0; round < maxRounds; round++) {
    const reply = await connection.request({ method: message.method, params }, options)
    if (isDeeper(reply, maxMessageDepth)) throw tooDeep(message)
    const task = takes.tasks ? undefined : taskIn(reply)
    const admit = (asking: JsonObject): JsonObject => instance.questions.admitIn(asking, count)
    const result = task
      ? await awaitTask(task, { connection, context, deadline, meta: params['_meta'], admit })
      : admit(reply)
    if (result['resultType'] !== 'input_required' || takes.inputRequired)
      return withoutServer(result)
    params = { ...params, ...(await answer(result, context, deadline)) }
  }
  throw new AggregatorError(
    'cannot_ask',
    `The server asked for input ${maxRounds} times in one request.`,
    'The request was cancelled, since the server would ask again.',
  )
}

function tooDeep({ method, params }: Message): AggregatorError {
  const of = typeof params?.['name'] === 'string' ? ` of ${safeName(params['name'])}` : ''
  return new AggregatorError(
    'bad_result',
    `The result${of} (${method}) is nested more than ${maxMessageDepth} levels deep and cannot be sent.`,
    'The call may have had effects and was not repeated. Request a smaller result if the tool has parameters for that.',
  )
}

/** Asks the client for the input that a modern server requests. */
async function answer(
  result: JsonObject,
  context: RequestContext,
  deadline: Deadline,
): Promise<JsonObject> {
  const questions = (result['inputRequests'] ?? {}) as Record<string, Message>
  const inputResponses = await askAll(questions, context, deadline)
  // A server that only requests a repetition gets a pause.
  if (Object.keys(questions).length === 0) await sleep(500)
  return {
    inputResponses,
    ...('requestState' in result && { requestState: result['requestState'] }),
  }
}

function withMeta(
  params: JsonObject,
  { capabilities, passthrough: { meta, logLevel } }: RequestContext,
  { era }: Connection,
  { questions }: Instance,
): JsonObject {
  const modernMeta = era === 'modern' && {
    [metaKeys.capabilities]: withTasks(questions.declared(capabilities)),
    ...(logLevel !== undefined && { [metaKeys.logLevel]: logLevel }),
  }
  if (!modernMeta && meta === undefined) return params
  return { ...params, _meta: { ...meta, ...modernMeta } }
}

/** Redacts the error of a server; unchanged if it contains no secret. */
function withoutSecrets(error: unknown, instance: Instance): unknown {
  if (!(error instanceof Error) || error instanceof AggregatorError) return error
  const { code, message, data } = error as Error & { code?: unknown; data?: JsonObject }
  // Other members of a library's error may contain text of the server.
  if (typeof code !== 'number') return new Error(instance.redactIn(message), { cause: error })
  const original = { message, data }
  const redacted = instance.redactIn(original)
  return redacted === original ? error : serverRpcError(code, redacted.message, redacted.data)
}

/** The server's `serverInfo` would be taken for ours. */
function withoutServer(result: JsonObject): JsonObject {
  const meta = result['_meta'] as JsonObject | undefined
  if (meta?.[metaKeys.server] === undefined) return result
  const { [metaKeys.server]: _, ...rest } = meta
  const { _meta, ...fields } = result
  return Object.keys(rest).length === 0 ? fields : { ...fields, _meta: rest }
}

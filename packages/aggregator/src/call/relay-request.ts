import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { Fields, Message } from '../protocol/message.ts'
import { metaKeys } from '../protocol/meta-keys.ts'
import { RpcError } from '../protocol/rpc-error.ts'
import { safeName } from '../protocol/safe-name.ts'
import { outcomeOf, type Traced, traced } from '../protocol/tracing.ts'
import { type Unit, unitName } from '../protocol/unit.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import { createDeadline, type Deadline } from '../upstream/connection/deadline.ts'
import type { Instance } from '../upstream/instances.ts'
import { lowerLogLevel } from './log-levels.ts'

/** How often a modern server may ask in one request. */
const mostRounds = 16

/**
 * Send a request of a client on to a server, with all that belongs to it on the way: progress,
 * cancellation, log messages, questions, trace context. The result is as the server gave it, less
 * who the server is. `toolOf` gives the definition of a tool that is called, or rejects if it must not
 * be. Rejects with the server's own error, or ours where it did not answer.
 */
export async function relayRequest(
  instance: Instance,
  message: Message,
  exchange: Exchange,
  toolOf: ToolOf = async () => undefined,
): Promise<Fields> {
  const span = exchange.span?.child(aboutOf(instance.server, message))
  const own = span === undefined ? exchange : { ...exchange, meta: span.metaFor(exchange.meta) }
  return traced(span, () => relay(instance, message, own, toolOf), outcomeOf)
}

type ToolOf = (connection: Connection) => Promise<Fields | undefined>

async function relay(
  instance: Instance,
  message: Message,
  exchange: Exchange,
  toolOf: ToolOf,
): Promise<Fields> {
  const { server } = instance
  const deadline = createDeadline(server.timeoutMs, exchange.signal)
  const leave = instance.enter(exchange, deadline)
  let isCounted = false
  try {
    const result = await instance.use(async (connection) => {
      const tool = await toolOf(connection)
      // Once, also where it is sent again.
      if (message.method === 'tools/call' && !isCounted) instance.noteCall()
      isCounted = true
      return send(connection, message, exchange, deadline, tool, instance.hideIn)
    }, deadline.signal)
    return instance.hideIn(result)
  } catch (error) {
    if (!deadline.isPassed) throw withoutSecrets(error, instance.hideIn)
    instance.suspect()
    throw new AggregatorError(
      'timeout',
      `The server ${server.name} did not answer ${message.method} within ${server.timeoutMs / 1000} s, nor tell of progress; the call was cancelled.`,
      `Raise timeoutSeconds of ${server.name} in the configuration if it needs longer.`,
      error,
    )
  } finally {
    leave()
    deadline.clear()
  }
}

function aboutOf(server: Unit & { type: string }, { method, params }: Message): Traced {
  const { name } = params ?? {}
  const tool = typeof name === 'string' ? safeName(name) : undefined
  const transport = server.type === 'stdio' ? 'pipe' : 'tcp'
  return { method, tool, server: unitName(server), transport }
}

async function send(
  connection: Connection,
  message: Message,
  exchange: Exchange,
  deadline: Deadline,
  tool: Fields | undefined,
  hideIn: Instance['hideIn'],
): Promise<Fields> {
  const { logLevel } = exchange
  if (logLevel !== undefined) await lowerLogLevel(connection, logLevel)
  const token = exchange.meta?.['progressToken']
  const options = {
    signal: deadline.signal,
    tool,
    ...(token !== undefined && {
      onProgress(progress: Fields) {
        deadline.alive()
        const params = { ...hideIn(progress), progressToken: token }
        exchange.notify({ method: 'notifications/progress', params })
      },
    }),
  }
  let params = withMeta({ ...message.params, ...exchange.retry }, exchange, connection)
  for (let round = 0; round < mostRounds; round++) {
    const result = await connection.request({ method: message.method, params }, options)
    if (isDeeper(result, maxDepth)) throw tooDeep(message)
    if (result['resultType'] !== 'input_required' || exchange.takesInputRequired)
      return withoutServer(result)
    params = { ...params, ...(await answer(result, exchange, deadline)) }
  }
  throw new AggregatorError(
    'cannot_ask',
    `The server asked for input ${mostRounds} times in one request.`,
    'It would go on asking; the request was given up.',
  )
}

/** Deeper results cannot be written as JSON: no answer would come at all. */
const maxDepth = 1_000

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return items.some((item) => isDeeper(item, levels - 1))
}

function tooDeep({ method, params }: Message): AggregatorError {
  const of = typeof params?.['name'] === 'string' ? ` of ${safeName(params['name'])}` : ''
  return new AggregatorError(
    'bad_result',
    `The result${of} (${method}) is nested more than ${maxDepth} levels deep, and cannot be passed on.`,
    'The call may have had effects and was not repeated. Ask for less at once, if the tool lets you.',
  )
}

/** The answers of a client to what a modern server wants to know, as it wants them. */
async function answer(result: Fields, exchange: Exchange, deadline: Deadline): Promise<Fields> {
  const questions = Object.entries((result['inputRequests'] ?? {}) as Record<string, Message>)
  const resume = deadline.pause()
  try {
    const answers = await Promise.all(
      questions.map(async ([key, question]) => [
        key,
        await exchange.ask(question, deadline.signal),
      ]),
    )
    // A server that only wants to be asked again gets a moment.
    if (questions.length === 0) await new Promise((resolve) => setTimeout(resolve, 500))
    return {
      inputResponses: Object.fromEntries(answers) as Fields,
      ...('requestState' in result && { requestState: result['requestState'] }),
    }
  } finally {
    resume()
  }
}

function withMeta(
  params: Fields,
  { meta, capabilities, logLevel }: Exchange,
  { era }: Connection,
): Fields {
  const own = era === 'modern' && {
    [metaKeys.capabilities]: capabilities,
    ...(logLevel !== undefined && { [metaKeys.logLevel]: logLevel }),
  }
  if (!own && meta === undefined) return params
  return { ...params, _meta: { ...meta, ...own } }
}

/** An error of a server is as it was, unless it says what it must not. */
function withoutSecrets(error: unknown, hideIn: Instance['hideIn']): unknown {
  if (!(error instanceof Error) || error instanceof AggregatorError) return error
  const { code, message, data } = error as Error & { code?: unknown; data?: Fields }
  // What the library says beside its message may hold what an address answered.
  if (typeof code !== 'number') return new Error(hideIn(message), { cause: error })
  const said = { message, data }
  const hidden = hideIn(said)
  return hidden === said ? error : new RpcError(code, hidden.message, hidden.data)
}

/** Passed on, the server's name would be taken for ours. */
function withoutServer(result: Fields): Fields {
  const meta = result['_meta'] as Fields | undefined
  if (meta?.[metaKeys.server] === undefined) return result
  const { [metaKeys.server]: _, ...rest } = meta
  const { _meta, ...others } = result
  return Object.keys(rest).length === 0 ? others : { ...others, _meta: rest }
}

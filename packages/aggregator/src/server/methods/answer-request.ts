import { isLogLevel } from '#servers/connection/log-levels'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { type JsonObject, type Message, RpcError, rpcCodes } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { safeName } from '#servers/protocol/server-account'
import { outcomeOf, traced } from '#servers/protocol/tracing'
import { answerToolCall } from '../../call/pipeline.ts'
import { withScannedText } from '../../call/stages/failed-reply.ts'
import { recordRead } from '../../call/stages/relay-read.ts'
import { complete } from './complete.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'
import { listTools } from './list-tools.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import {
  listResources,
  listResourceTemplates,
  readResource,
  subscribeResource,
  unsubscribeResource,
} from './resources.ts'
import { getSkill, listSkills, readDirectory } from './skills.ts'
import { relayTaskRequest, taskMethods } from './tasks.ts'

const setLogLevel: Handler = async ({ level }, { session }, { gateway }) => {
  if (!isLogLevel(level))
    throw new RpcError(rpcCodes.invalidParams, `${JSON.stringify(level)} is not a log level.`)
  gateway.clients.setLogLevel(session, level)
  return {}
}

const handlers: Record<string, Handler> = {
  'tools/list': listTools,
  'tools/call': answerToolCall,
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  'resources/list': listResources,
  'resources/templates/list': listResourceTemplates,
  'resources/read': readResource,
  'resources/subscribe': subscribeResource,
  'resources/unsubscribe': unsubscribeResource,
  'skills/list': listSkills,
  'skills/get': getSkill,
  'resources/directory/read': readDirectory,
  'completion/complete': complete,
  'logging/setLevel': setLogLevel,
  ...Object.fromEntries(taskMethods.map((method) => [method, relayTaskRequest(method)])),
}

/** Methods that reach a server; tool calls are recorded in their pipeline. */
const reads = new Set([
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'skills/get',
  'resources/directory/read',
  'completion/complete',
  'tasks/update',
  'tasks/cancel',
])

export const isAnswered = (method: string): boolean => Object.hasOwn(handlers, method)

/** Answers a client request. Rejects with JSON-RPC errors, which have a numeric `code`. */
export async function answerRequest(
  { method, params = {} }: Message,
  context: RequestContext,
  deps: HandlerDeps,
): Promise<JsonObject> {
  const handler = isAnswered(method) ? handlers[method] : undefined
  if (handler === undefined) throw new RpcError(rpcCodes.methodNotFound, `Method not found`)
  const { session, passthrough } = context
  const about = { method, tool: toolIn(params), era: session.era, session: session.id }
  const span = deps.tracing?.begin(about, passthrough.meta)
  const inSpan = span === undefined ? context : { ...context, span }
  const answer = async (): Promise<JsonObject> => {
    const { mode } = session.access ?? {}
    const modeDeps = mode ? { ...deps, listModes: deps.listModesBy[mode] } : deps
    // Repeated each second: it has no line, but is refused like the others.
    if (method === 'tasks/get') {
      await deps.recording.journal.check?.()
      await deps.limits.admission(context)()
    }
    if (!reads.has(method)) return handler(params, inSpan, modeDeps)
    return recordRead({ method, params }, inSpan, deps, (inner) => handler(params, inner, modeDeps))
  }
  try {
    return await traced(span, answer, outcomeOf)
  } catch (error) {
    if (!(error instanceof AggregatorError)) throw withScannedText(error)
    throw new RpcError(rpcCodes.internal, `${error.message} ${error.remedy}`, { code: error.code })
  }
}

const toolIn = ({ name }: JsonObject): string | undefined =>
  typeof name === 'string' ? safeName(name) : undefined

import { isLogLevel } from '../../call/log-levels.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import type { Exchange } from '../../protocol/exchange.ts'
import type { Fields, Message } from '../../protocol/message.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import { safeName } from '../../protocol/safe-name.ts'
import { outcomeOf, traced } from '../../protocol/tracing.ts'
import { callTool } from './call-tool.ts'
import { complete } from './complete.ts'
import { listTools } from './list-tools.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import {
  listResources,
  listResourceTemplates,
  readResource,
  subscribeResource,
  unsubscribeResource,
} from './resources.ts'
import type { Handler, Serving } from './serving.ts'

const setLogLevel: Handler = async ({ level }, { session }, { gateway }) => {
  if (!isLogLevel(level))
    throw new RpcError(rpcCodes.invalidParams, `${JSON.stringify(level)} is no log level.`)
  gateway.setLogLevel(session, level)
  return {}
}

const handlers: Record<string, Handler> = {
  'tools/list': listTools,
  'tools/call': callTool,
  'prompts/list': listPrompts,
  'prompts/get': getPrompt,
  'resources/list': listResources,
  'resources/templates/list': listResourceTemplates,
  'resources/read': readResource,
  'resources/subscribe': subscribeResource,
  'resources/unsubscribe': unsubscribeResource,
  'completion/complete': complete,
  'logging/setLevel': setLogLevel,
}

/** What asks servers for something; tools are counted where they are called. */
const isCounted = (method: string): boolean =>
  ['prompts/get', 'resources/read', 'completion/complete'].includes(method)

export const isAnswered = (method: string): boolean => Object.hasOwn(handlers, method)

/** Answer a request of a client. Rejects with errors of JSON-RPC, which have a numeric `code`. */
export async function answerRequest(
  { method, params = {} }: Message,
  exchange: Exchange,
  serving: Serving,
): Promise<Fields> {
  const handler = isAnswered(method) ? handlers[method] : undefined
  if (handler === undefined) throw new RpcError(rpcCodes.methodNotFound, `Method not found`)
  const { session, meta } = exchange
  const about = { method, tool: toolIn(params), era: session.era, session: session.id }
  const span = serving.tracing?.begin(about, meta)
  const own = span === undefined ? exchange : { ...exchange, span }
  const answer = async (): Promise<Fields> => {
    if (isCounted(method)) await serving.limits.admit(exchange)
    return handler(params, own, serving)
  }
  try {
    return await traced(span, answer, outcomeOf)
  } catch (error) {
    if (!(error instanceof AggregatorError)) throw error
    throw new RpcError(rpcCodes.internal, `${error.message} ${error.remedy}`, { code: error.code })
  }
}

const toolIn = ({ name }: Fields): string | undefined =>
  typeof name === 'string' ? safeName(name) : undefined

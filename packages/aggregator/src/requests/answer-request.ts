import { AggregatorError } from '../aggregator-error.ts'
import { safeName } from '../names/safe-name.ts'
import type { Exchange } from '../relay/exchange.ts'
import { outcomeOf, traced } from '../tracing/tracing.ts'
import type { Fields, Message } from '../upstream/connection.ts'
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
import { RpcError, rpcCodes } from './rpc-error.ts'
import type { Handler, Serving } from './serving.ts'
import { setLogLevel } from './set-log-level.ts'

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

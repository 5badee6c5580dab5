import { createRecord } from '../../call/journal/call-record.ts'
import { relayToolCall } from '../../call/relay-tool-call.ts'
import { documentOf } from '../../call/results/document.ts'
import { forAccount, takeAccount } from '../../catalog/account-parameter.ts'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import { heldTools, modulesIn, toolNamed } from '../../catalog/resolve-tool.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import type { JsonObject } from '../../protocol/message.ts'
import { nearestOf } from '../../protocol/nearest-of.ts'
import type { RequestContext, Session } from '../../protocol/request-context.ts'
import { RpcError, rpcCodes } from '../../protocol/rpc-error.ts'
import { safeName } from '../../protocol/safe-name.ts'
import { argumentsFor } from '../../tools/arguments.ts'
import type { ToolListMode } from '../../tools/list-modes/list-modes.ts'
import { prepareCall } from '../../tools/prepare-call.ts'
import { NeedsSignIn } from '../../upstream/connection/needs-sign-in.ts'
import type { Handler, HandlerDeps } from './handler-deps.ts'

/**
 * Calls one of our own tools, or a tool of a server by its own name. Faults that a model can
 * correct are returned as results, not as errors.
 */
export const callTool: Handler = async (params, context, deps) => {
  const called = { kind: 'meta', tool: shownName(params), args: params['arguments'] } as const
  const record = createRecord(context.session, called, deps.recording)
  try {
    const { result, failure } = await answerCall(params, { ...context, record }, deps)
    deps.limits.recordUsage(context.session, await record.end({ sent: result, failure }))
    return result
  } catch (failure) {
    await record.end({ failure })
    throw failure
  }
}

/** Stored results can be read by all sessions with the same caller and profile. */
const ownerOf = ({ access }: Session): string =>
  access?.caller === undefined && access?.profile === undefined
    ? ''
    : JSON.stringify([access.caller, access.profile])

const shownName = (params: JsonObject): string => safeName(String(params['name']))

/** The result, and the failure it reports, if any. */
async function answerCall(
  params: JsonObject,
  context: RequestContext,
  shared: HandlerDeps,
): Promise<{ result: JsonObject; failure?: AggregatorError }> {
  const deps = { ...shared, results: shared.results.of(ownerOf(context.session)) }
  const name = String(params['name'])
  const view = deps.gateway.viewFor(context)
  const shape = await deps.listModes.listModeOf(view)
  const metaTool = shape.metaToolCalled(name)
  try {
    await deps.limits.checkLimits(context)
    if (metaTool === undefined) return { result: await callDirectly(name, params, context, deps) }
    const args = argumentsFor(metaTool, params['arguments'])
    const result = await metaTool.answer(args, context, deps)
    return { result: await deps.results.fit(result) }
  } catch (thrown) {
    const isCall = metaTool === undefined || metaTool.name === 'call'
    const error = isCall && thrown instanceof NeedsSignIn ? await thrown.begin() : thrown
    if (!(error instanceof AggregatorError))
      throw shape.isVerbatim ? error : await bounded(error, deps)
    const text = `${error.message} ${error.remedy}`
    const result = { content: [{ type: 'text', text }], isError: true }
    return { result: await deps.results.fit(result), failure: error }
  }
}

/** An error of a server is unchanged, unless it is longer than the budget of a reply. */
async function bounded(error: unknown, { results }: HandlerDeps): Promise<unknown> {
  const { message, code, data } = error as { message?: string; code?: unknown; data?: unknown }
  if (typeof code !== 'number') return error
  const text = data === undefined ? `${message}` : `${message}\n\n${JSON.stringify(data)}`
  if (text.length <= results.budget.tokens) return error
  const fitted = await results.fit({ content: [{ type: 'text', text }] })
  return new RpcError(code, documentOf(fitted).text)
}

async function callDirectly(
  name: string,
  params: JsonObject,
  context: RequestContext,
  deps: HandlerDeps,
): Promise<JsonObject> {
  const { gateway, listModes, results } = deps
  const { session, capabilities } = context
  await knowOwner(name, context, deps)
  const view = gateway.viewFor({ session, capabilities })
  const shape = await listModes.listModeOf(view)
  const tool = toolNamed(name, view)
  const absent = shape.isOpen ? view.absentCalled(name) : undefined
  if (absent !== undefined) throw heldTools(absent)
  if (tool === undefined || !shape.isOpen) throw await unknownTool(name, view, shape)
  if (shape.isVerbatim) return relayVerbatim(tool, params, view, context, deps)
  // The client has not seen the schema: the error contains it.
  const { account, args } = takeAccount(tool, params['arguments'], view)
  const requested = { module: tool.server.name, account, tool: tool.name, params: args }
  const prepared = await prepareCall(requested, context, deps)
  const sent = { ...params, ...prepared.params }
  return results.fit(await relayToolCall(prepared.tool, sent, context, deps))
}

/**
 * Queries the servers that the tool may belong to, until the tool is found or all have answered.
 * @throws why the server cannot be queried
 */
async function knowOwner(
  name: string,
  { session, capabilities }: RequestContext,
  { gateway, listModes }: HandlerDeps,
): Promise<void> {
  const viewNow = () => gateway.viewFor({ session, capabilities })
  const isKnown = () => {
    const view = viewNow()
    return (toolNamed(name, view) ?? view.absentCalled(name)) !== undefined
  }
  if (isKnown()) return
  const before = viewNow()
  const named = modulesIn(name, before)
  const isBare = named.length === 0 && !before.withServer
  // Without prefixes, the tool can belong to any server.
  const isOpen = isBare && (await listModes.listModeOf(before)).isOpen
  // A server that has failed before must not delay the error for a wrong name.
  const isHealthy = (server: ToolView['servers'][number]): boolean =>
    gateway.statusOf(server).instances.every(({ failures }) => failures === 0)
  const requested = isOpen ? before.servers.filter(isHealthy) : named
  if (requested.length === 0) return
  let failure: unknown
  await new Promise<void>((resolve) => {
    const answers = requested.map(async (server) => {
      try {
        const isNew = before.unknown.includes(server)
        if (isNew) await gateway.know(server, session, capabilities)
        else await gateway.confirm(server, session, capabilities)
      } catch (error) {
        failure ??= error
      }
      if (isKnown()) resolve()
    })
    void Promise.all(answers).then(() => resolve())
  })
  if (failure !== undefined && named.length > 0 && !isKnown()) throw failure
}

/** Sends the parameters unchanged, except for the account parameter that we added. */
function relayVerbatim(
  tool: CatalogTool,
  params: JsonObject,
  view: ToolView,
  context: RequestContext,
  deps: HandlerDeps,
): Promise<JsonObject> {
  const { account, args } = takeAccount(tool, params['arguments'], view)
  const sent = { ...params, name: tool.upstreamName }
  if (args !== params['arguments']) Object.assign(sent, { arguments: args })
  return relayToolCall(forAccount(tool, account, view), sent, context, deps)
}

async function unknownTool(name: string, view: ToolView, shape: ToolListMode): Promise<RpcError> {
  const names = shape.listTools().map((tool) => String(tool['name']))
  const tool = toolNamed(name, view)
  if (tool) {
    const call = JSON.stringify({ module: tool.server.name, tool_name: tool.name })
    const problem = `The tool ${tool.server.name}.${tool.name} cannot be called by its own name in this list mode.`
    return new RpcError(rpcCodes.invalidParams, `${problem} Call it as call(${call}).`)
  }
  const [near] = await nearestOf(name, names)
  const remedy = `Nearest: ${near ?? (names.slice(0, 5).join(', ') || 'none')}.`
  return new RpcError(rpcCodes.invalidParams, `Unknown tool: ${name.slice(0, 200)}. ${remedy}`)
}

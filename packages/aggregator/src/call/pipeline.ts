import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { taskIn } from '#servers/protocol/tasks'
import { takeAccount } from '../catalog/account-parameter.ts'
import type { CatalogTool } from '../catalog/catalog-tools.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { withOwnLinks } from '../catalog/own-links.ts'
import type { ToolView } from '../catalog/tool-view.ts'
import type { Effects } from './effects/effects.ts'
import { calledAs, createRecord, type RecordOptions } from './journal/call-record.ts'
import type { Limits } from './limits/limits.ts'
import type { Results } from './results/results.ts'
import { type ApproveDeps, type Approved, approveToolCall } from './stages/approve.ts'
import type { ToolList } from './stages/bound-meta-tool.ts'
import { ownerOf } from './stages/caller.ts'
import { asReply, type Reply } from './stages/failed-reply.ts'
import { relayToolCall } from './stages/relay-tool-call.ts'
import { repairArguments } from './stages/repair-arguments.ts'
import { confirmServer, findOwner, resolveCall, type ToolAddress } from './stages/resolve-call.ts'
import { allowedTool, isListedApp, withRequestedAccount } from './stages/rules.ts'
import { selectOf, shapeResult } from './stages/shape-result.ts'
import type { TaskIds } from './stages/task-ids.ts'
import { validateParams } from './stages/validate-params.ts'

/**
 * The stages of a call, in order. Each line of the functions below is one of them.
 *
 * | stage    | what it does                                                    | where                   |
 * | -------- | --------------------------------------------------------------- | ----------------------- |
 * | record   | begins the line of the journal                                  | journal/call-record     |
 * | view     | takes what the client sees of the catalog, once                 | catalog/view-cache      |
 * | rules    | decides by the list mode what the name may mean                 | stages/rules, own-tool  |
 * | limits   | counts the call against rate and budget of the client, with the | limits/limits           |
 * |          | server's if nothing is waited for until then                    |                         |
 * | resolve  | finds the server's tool; queries the server if it is unknown    | stages/resolve-call     |
 * | repair   | mends names and types of parameters that are unambiguous        | stages/repair-arguments |
 * | validate | checks the parameters against the schema                        | stages/validate-params  |
 * | effects  | holds a repetition of a call whose outcome is unknown            | effects/effects         |
 * | approve  | decides by the permissions, and asks a person if they say so    | stages/approve          |
 * | wait     | waits for a free slot of the server                             | limits/limits           |
 * | begin    | writes that a call that may change something is sent            | stages/relay-tool-call  |
 * | relay    | sends the call, and forwards progress and questions             | stages/relay-request    |
 * | redact   | replaces secrets in whatever comes back                         | stages/relay-request    |
 * | shape    | checks it, if the settings of the server say so                 | stages/shape-result     |
 * | fit      | pages a result that is longer than the budget                   | results/results         |
 * | record   | writes the line, with the tokens of the reply                   | journal/call-record     |
 *
 * In mode `full` a tool is called as its server defines it: nothing is repaired, validated or paged.
 */
export interface CallDeps extends ServerCallDeps {
  results: Results
  recording: RecordOptions
  listModes: { listModeOf(view: ToolView): ToolList }
}

/** What the stages of a server's call take. */
export interface ServerCallDeps extends ApproveDeps {
  gateway: Gateway
  limits: Limits
  taskIds: TaskIds
  /** Undefined without a journal. */
  effects: Effects | undefined
}

/** A call of a server's tool, as a client requests it. */
export interface RequestedCall extends ToolAddress {
  params: unknown
  /** True for a parameter whose value is not known yet. */
  isPending?: ((value: unknown) => boolean) | undefined
}

/** A call whose tool and parameters have been checked. */
export interface PreparedCall {
  tool: CatalogTool
  /** Parameters of `tools/call`. */
  params: JsonObject
  /** What was mended, one line each. */
  repairs: string[]
}

/**
 * Answers `tools/call`, for one of our own tools or for a server's tool by its own name. Faults that
 * a model can correct are returned as results, not as errors.
 */
export async function answerToolCall(
  params: JsonObject,
  context: RequestContext,
  deps: CallDeps,
): Promise<JsonObject> {
  const checked = deps.recording.journal.check?.()
  if (checked) await checked
  const record = createRecord(context, calledAs(params), deps.recording)
  const { result, failure } = await replyTo(params, { ...context, record }, deps).catch(
    async (failure: unknown) => {
      await record.end({ failure })
      throw failure
    },
  )
  deps.limits.recordUsage(context.session, await record.end({ sent: result, failure }))
  return result
}

/** From the view to the fitted result. */
async function replyTo(
  params: JsonObject,
  context: RequestContext,
  deps: CallDeps,
): Promise<Reply> {
  const results = deps.results.of(ownerOf(context.session))
  const view = deps.gateway.viewFor(context)
  const rules = deps.listModes.listModeOf(view)
  const metaTool = rules.metaTool(String(params['name']))
  const admit = deps.limits.admission(context)
  const call = { context: { ...context, admit }, view, rules, results }
  return asReply({ metaTool, isVerbatim: rules.isVerbatim, results }, async () => {
    try {
      if (metaTool === undefined) return await callByName(params, call, deps)
      if (metaTool.name !== 'call') await admit()
      return await results.fit(await metaTool.answer(params['arguments'], call))
    } catch (error) {
      // A call that fails before it is counted is counted too.
      await admit()
      throw error
    }
  })
}

/** A call by a tool's own name, in the modes that list these names. */
async function callByName(
  params: JsonObject,
  call: { context: RequestContext; view: ToolView; rules: ToolList; results: Results },
  deps: CallDeps,
): Promise<JsonObject> {
  const { context, results } = call
  const { gateway, listModes } = deps
  const name = String(params['name'])
  const view = await findOwner(name, call.view, context, { isOpen: call.rules.isOpen, gateway })
  const rules = view === call.view ? call.rules : listModes.listModeOf(view)
  const tool = await allowedTool(name, view, rules)
  // An app gets results as its server returns them.
  if (rules.isVerbatim || isListedApp(tool, view)) {
    const verbatim = withRequestedAccount(tool, params, view)
    return sendCall(verbatim.tool, verbatim.params, context, deps)
  }
  // The client has not seen the schema: the error contains it.
  const { account, args } = takeAccount(tool, params['arguments'], view)
  const requested = { module: tool.server.name, account, tool: tool.name, params: args }
  const prepared = await prepareCall(requested, { context, view }, gateway)
  const sent = { ...params, ...prepared.params }
  const isSelected = prepared.tool.server.results?.select !== undefined
  const select = isSelected ? await selectOf(prepared.tool) : undefined
  const result = await sendCall(prepared.tool, sent, context, deps)
  return results.reply(result, { params: sent['arguments'], select })
}

/**
 * Finds the tool and checks the parameters before anything is called. A call is not rejected by
 * lists from an earlier process: the server is queried first, and the call is checked again.
 * @throws {AggregatorError} with the most similar names, or with the schema
 */
export async function prepareCall(
  requested: RequestedCall,
  { context, view }: { context: RequestContext; view: ToolView },
  gateway: Gateway,
): Promise<PreparedCall> {
  const prepare = async (currentView: ToolView): Promise<PreparedCall> => {
    const { tool, renamed } = await resolveCall(requested, currentView, context, gateway)
    const { args, repairs } = repairArguments(requested.params, tool.definition['inputSchema'])
    const valid = validateParams(args, tool, requested.isPending)
    const params = { name: tool.upstreamName, arguments: valid }
    return { tool, params, repairs: [...renamed, ...repairs] }
  }
  try {
    return await prepare(view)
  } catch (error) {
    // A server that did not start just now is not started a second time.
    if (!(error instanceof AggregatorError) || error.code === 'upstream_down') throw error
    await context.admit?.()
    if (!(await confirmServer(requested, view, context, gateway))) throw error
    return prepare(gateway.viewFor(context))
  }
}

interface SendOptions {
  /** May reject the tool, as it was found and as it is offered when it is called. */
  check?: ((tool: CatalogTool) => void) | undefined
  /** Send it although its outcome is unknown; undefined where a caller cannot say it. */
  again?: boolean | undefined
}

/** Calls a server's tool when it is allowed and a slot is free; `params` are sent as they are. */
export async function sendCall(
  tool: CatalogTool,
  params: JsonObject,
  context: RequestContext,
  deps: ServerCallDeps,
  { check, again }: SendOptions = {},
): Promise<JsonObject> {
  const { gateway, limits, taskIds, effects } = deps
  const { server, name, upstreamName } = tool
  context.record?.calls({ server, tool: name, args: params['arguments'] })
  check?.(tool)
  const effect = await effects?.admit(tool, params['arguments'], context, again)
  const approved = await approveToolCall(tool, params, context, deps)
  const release = await limits.waitTurn(server, upstreamName, context)
  try {
    const sent = approved ?? { params, context }
    const confirm = check ? withCheck(check, sent.confirm) : sent.confirm
    const begin = effect === undefined ? undefined : () => context.record?.begin(effect)
    const answer = await relayToolCall(tool, { ...sent, confirm, begin }, gateway)
    const relayed = withContent(answer)
    const result = server.results ? shapeResult(relayed, tool) : relayed
    context.record?.result(result)
    const task = context.passthrough.takes.tasks ? taskIn(result) : undefined
    if (task) return taskIds.sealed(task, { server, tool: name }, ownerOf(context.session))
    return withOwnLinks(result, server, () => gateway.viewFor(context))
  } finally {
    release()
  }
}

/** Clients refuse a result without the list `content`, which some servers leave out. */
function withContent(result: JsonObject): JsonObject {
  if (Array.isArray(result['content'])) return result
  if (result['resultType'] === 'input_required' || taskIn(result) !== undefined) return result
  const { structuredContent: value } = result
  const content = value === undefined ? [] : [{ type: 'text', text: JSON.stringify(value) }]
  return { ...result, content }
}

/** Also checks the tool as it is offered when it is called. */
const withCheck =
  (check: (tool: CatalogTool) => void, confirm: Approved['confirm']): Approved['confirm'] =>
  async (offered) => {
    if (offered) check(offered)
    await confirm?.(offered)
  }

import { serverError } from '#scan/server-text'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { abortSignalOf } from '#servers/protocol/cancellation'
import type { JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { type PreparedCall, prepareCall, sendCall } from '../call/pipeline.ts'
import { textsIn } from '../call/results/document.ts'
import { wantedIn } from '../call/results/select.ts'
import type { MetaToolCall } from '../call/stages/bound-meta-tool.ts'
import { selectOf } from '../call/stages/shape-result.ts'
import { unwrapped, withStored } from '../call/stages/stored-arguments.ts'
import { flag } from './arguments.ts'
import { type Planned, parseCommands, refused } from './batch/parse-commands.ts'
import { referencesIn, replaceReferences } from './batch/references.ts'
import { renderBatch } from './batch/render-batch.ts'
import { type Outcome, runGraph } from './batch/run-graph.ts'
import { resolveReference } from './batch/value-of-result.ts'
import { doesAnything, type MetaTool, type ToolDeps, textResult } from './meta-tool.ts'

export const batch: MetaTool = {
  name: 'batch',
  description: () =>
    'Run several calls, one JSON line each: {"id":"a","module":"m","tool_name":"t","params":{},"after":["b"],"output":true,"select":["id"]}. ${a.results[0].id} in params is a value of an earlier result. Only results with output are returned.',
  inputSchema: {
    type: 'object',
    properties: {
      commands: { type: 'string', description: 'JSON lines' },
      dry_run: { type: 'boolean', description: 'Only check' },
    },
    required: ['commands'],
  },
  annotations: doesAnything,
  async answer(args, call, deps) {
    const isDry = flag(args, 'dry_run')
    const commands = await planBatch(args['commands'], call, deps)
    if (isDry) return textResult(planOf(commands))
    return renderBatch(commands, await run(commands, call.context, deps), call.results)
  },
}

/**
 * Parses the lines, finds all tools and checks all known arguments before the first call. Arguments with references
 * are checked when their values are known.
 * @throws {AggregatorError} with all faults
 */
async function planBatch(
  input: unknown,
  call: MetaToolCall,
  { gateway, batchLimits }: Pick<ToolDeps, 'gateway' | 'batchLimits'>,
): Promise<Planned[]> {
  const { commands, faults: parseFaults } = parseCommands(input, batchLimits.commands)
  const outcomes = await Promise.allSettled(
    commands.map(async (command) => {
      const { module, account, tool } = command
      const select = await wantedIn(command.select)
      const params = await withStored(command.params, call.results)
      const isPending = hasReferences(params) ? hasReferences : undefined
      const known = { module, account, tool, params: unwrapped(params), isPending }
      const { tool: found } = await prepareCall(known, call, gateway)
      return { ...command, params, select: select ?? (await selectOf(found)) }
    }),
  )
  const faults = outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'fulfilled') return []
    const { reason } = outcome
    const problem =
      reason instanceof AggregatorError
        ? `${reason.message} ${reason.remedy}`
        : serverError((reason as Error).message)
    return [`line ${commands[index]?.line}: ${problem}`]
  })
  if (parseFaults.length + faults.length > 0) throw refused([...parseFaults, ...faults])
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

const hasReferences = (value: unknown): boolean => referencesIn(value).length > 0

/** A tool reported its failure in its result. */
class ToolFailed extends Error {
  override readonly name = 'ToolFailed'
  readonly result: JsonObject

  constructor(result: JsonObject) {
    super(textsIn(result).join('\n'))
    this.result = result
  }
}

async function run(
  commands: readonly Planned[],
  context: RequestContext,
  deps: ToolDeps,
): Promise<Map<string, Outcome<JsonObject>>> {
  const { progressToken, ...meta } = context.passthrough.meta ?? {}
  // The client gets one reply for all calls: server requests are forwarded one by one, and progress
  // counts calls.
  const inner: RequestContext = {
    ...context,
    passthrough: {
      ...context.passthrough,
      meta,
      takes: { inputRequired: false, tasks: false },
      retry: undefined,
    },
  }
  const results = new Map<string, JsonObject>()
  return runGraph(
    commands,
    async ({ id, module, account, tool, params, again }) => {
      const args = unwrapped(
        replaceReferences(params, (reference) =>
          resolveReference(reference, results.get(reference.id) ?? {}),
        ),
      )
      const requested = { module, account, tool, params: args }
      const view = deps.gateway.viewFor(inner)
      const prepared = await prepareCall(requested, { context: inner, view }, deps.gateway)
      const result = await callOne(prepared, again, inner, deps)
      if (result['isError'] === true) throw new ToolFailed(result)
      results.set(id, result)
      return result
    },
    {
      maxConcurrency: deps.batchLimits.maxConcurrency,
      signal: abortSignalOf(context.signal),
      onEnd(progress) {
        if (progressToken === undefined) return
        const params = { progressToken, progress, total: commands.length }
        context.notify({ method: 'notifications/progress', params })
      },
    },
  )
}

/** One of the calls; limits and the journal treat it like a call of its own. */
async function callOne(
  { tool, params }: PreparedCall,
  again: boolean,
  context: RequestContext,
  deps: ToolDeps,
): Promise<JsonObject> {
  const record = context.record?.inner()
  let failure: unknown
  try {
    const admit = deps.limits.admission(context)
    return await sendCall(tool, params, { ...context, record, admit }, deps, { again })
  } catch (error) {
    failure = error
    throw error
  } finally {
    await record?.end({ failure })
  }
}

function planOf(commands: readonly Planned[]): string {
  const lines = commands.map(({ id, module, tool, after, output }) => {
    const name = module === undefined ? tool : `${module}.${tool}`
    const waits = after.length > 0 ? ` after ${after.join(', ')}` : ''
    return `${id}: ${name}${waits}${output ? ', output' : ''}`
  })
  return `The batch is valid. Nothing was called.\n${lines.join('\n')}`
}

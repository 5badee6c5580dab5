import { relayToolCall } from '../call/relay-tool-call.ts'
import { textsIn } from '../call/results/document.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { Fields } from '../protocol/message.ts'
import { badArgument, isAbsent } from './arguments.ts'
import { type Command, parseCommands } from './batch/parse-commands.ts'
import { replaceReferences } from './batch/references.ts'
import { renderBatch } from './batch/render-batch.ts'
import { type Outcome, runGraph } from './batch/run-graph.ts'
import { resolveReference } from './batch/value-of-result.ts'
import { doesAnything, type MetaTool, type ToolServing, textResult } from './meta-tool.ts'
import { planBatch } from './plan-batch.ts'
import { type PreparedCall, prepareCall } from './prepare-call.ts'

export const batch: MetaTool = {
  name: 'batch',
  description: () =>
    'Several calls at once, one JSON line each: {"id":"a","module":"m","tool_name":"t","params":{},"after":["b"],"output":true}. ${a.results[0].id} in params is a value of an earlier result. Only results with output come back.',
  inputSchema: {
    type: 'object',
    properties: {
      commands: { type: 'string', description: 'JSON lines' },
      dry_run: { type: 'boolean', description: 'Only check' },
    },
    required: ['commands'],
  },
  annotations: doesAnything,
  async answer(args, exchange, serving) {
    const { dry_run: dryRun } = args
    if (!isAbsent(dryRun) && typeof dryRun !== 'boolean')
      throw badArgument('dry_run', dryRun, 'true or false')
    const commands = parseCommands(args['commands'], serving.batchLimits.commands)
    await planBatch(commands, exchange, serving)
    if (dryRun === true) return textResult(planOf(commands))
    return renderBatch(commands, await run(commands, exchange, serving), serving.results)
  },
}

/** A tool that says that it failed has failed. */
class ToolFailed extends Error {
  override readonly name = 'ToolFailed'
  readonly result: Fields

  constructor(result: Fields) {
    super(textsIn(result).join('\n'))
    this.result = result
  }
}

async function run(
  commands: readonly Command[],
  exchange: Exchange,
  serving: ToolServing,
): Promise<Map<string, Outcome<Fields>>> {
  const { progressToken, ...meta } = exchange.meta ?? {}
  // The client gets one answer for all: its questions are put to it one by one, its progress is ours.
  const inner: Exchange = { ...exchange, meta, takesInputRequired: false, retry: undefined }
  const results = new Map<string, Fields>()
  return runGraph(
    commands,
    async ({ id, module, account, tool, params }) => {
      const given = replaceReferences(params, (reference) =>
        resolveReference(reference, results.get(reference.id) ?? {}),
      )
      const prepared = await prepareCall({ module, account, tool, params: given }, inner, serving)
      const result = await callOne(prepared, inner, serving)
      if (result['isError'] === true) throw new ToolFailed(result)
      results.set(id, result)
      return result
    },
    {
      atOnce: serving.batchLimits.atOnce,
      signal: exchange.signal,
      onEnd(progress) {
        if (progressToken === undefined) return
        const params = { progressToken, progress, total: commands.length }
        exchange.notify({ method: 'notifications/progress', params })
      },
    },
  )
}

/** One of the calls; it counts, and is written down, as if it came by itself. */
async function callOne(
  { offer, params }: PreparedCall,
  exchange: Exchange,
  serving: ToolServing,
): Promise<Fields> {
  const record = exchange.record?.inner()
  let failure: unknown
  try {
    await serving.limits.admit(exchange)
    return await relayToolCall(offer, params, { ...exchange, record }, serving)
  } catch (error) {
    failure = error
    throw error
  } finally {
    await record?.end({ failure })
  }
}

function planOf(commands: readonly Command[]): string {
  const lines = commands.map(({ id, module, tool, after, output }) => {
    const name = module === undefined ? tool : `${module}.${tool}`
    const waits = after.length > 0 ? ` after ${after.join(', ')}` : ''
    return `${id}: ${name}${waits}${output ? ', output' : ''}`
  })
  return `The batch is right; nothing was called.\n${lines.join('\n')}`
}

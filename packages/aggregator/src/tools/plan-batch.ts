import { prepareCall } from '../call/pipeline.ts'
import type { OwnCall } from '../call/stages/own-tool.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import { serverError } from '../scan/server-text.ts'
import { type Command, parseCommands, refused } from './batch/parse-commands.ts'
import { referencesIn } from './batch/references.ts'
import type { ToolDeps } from './meta-tool.ts'

/**
 * Parses the lines, finds all tools and checks all known arguments before the first call. Arguments with references
 * are checked when their values are known.
 * @throws {AggregatorError} with all faults
 */
export async function planBatch(
  given: unknown,
  call: OwnCall,
  { gateway, batchLimits }: Pick<ToolDeps, 'gateway' | 'batchLimits'>,
): Promise<Command[]> {
  const { commands, faults: known } = parseCommands(given, batchLimits.commands)
  const outcomes = await Promise.allSettled(
    commands.map(({ module, account, tool, params }) => {
      const isPending = hasReferences(params) ? hasReferences : undefined
      return prepareCall({ module, account, tool, params, isPending }, call, gateway)
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
  if (known.length + faults.length > 0) throw refused([...known, ...faults])
  return commands
}

const hasReferences = (value: unknown): boolean => referencesIn(value).length > 0

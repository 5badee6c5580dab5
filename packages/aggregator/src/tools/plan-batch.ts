import { prepareCall } from '../call/pipeline.ts'
import type { OwnCall } from '../call/stages/own-tool.ts'
import type { Gateway } from '../catalog/gateway.ts'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import { type ParsedCommands, refused } from './batch/parse-commands.ts'
import { referencesIn } from './batch/references.ts'

/**
 * Finds all tools and checks all known arguments before the first call. Arguments with references
 * are checked when their values are known.
 * @throws {AggregatorError} with all faults, those of its lines included
 */
export async function planBatch(
  { commands, faults: known }: ParsedCommands,
  call: OwnCall,
  gateway: Gateway,
): Promise<void> {
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
      reason instanceof AggregatorError ? `${reason.message} ${reason.remedy}` : String(reason)
    return [`line ${commands[index]?.line}: ${problem}`]
  })
  if (known.length + faults.length > 0) throw refused([...known, ...faults])
}

const hasReferences = (value: unknown): boolean => referencesIn(value).length > 0

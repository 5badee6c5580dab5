import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Exchange } from '../protocol/exchange.ts'
import { type Command, refused } from './batch/parse-commands.ts'
import { referencesIn } from './batch/references.ts'
import { type PrepareServing, prepareCall } from './prepare-call.ts'

/**
 * Find every tool and check all arguments that are known, before the first call. Arguments that
 * hold references are checked when their values are there.
 * @throws {AggregatorError} with all faults
 */
export async function planBatch(
  commands: readonly Command[],
  exchange: Exchange,
  serving: PrepareServing,
): Promise<void> {
  const outcomes = await Promise.allSettled(
    commands.map(({ module, account, tool, params }) => {
      const hasReferences = referencesIn(params).length > 0
      return prepareCall({ module, account, tool, params, hasReferences }, exchange, serving)
    }),
  )
  const faults = outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'fulfilled') return []
    const { reason } = outcome
    const said =
      reason instanceof AggregatorError ? `${reason.message} ${reason.remedy}` : String(reason)
    return [`line ${commands[index]?.line}: ${said}`]
  })
  if (faults.length > 0) throw refused(faults)
}

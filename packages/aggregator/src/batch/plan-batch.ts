import { AggregatorError } from '../aggregator-error.ts'
import { prepareCall } from '../meta-tools/prepare-call.ts'
import type { Exchange } from '../relay/exchange.ts'
import type { Serving } from '../requests/serving.ts'
import { type Command, refused } from './parse-commands.ts'
import { referencesIn } from './references.ts'

/**
 * Find every tool and check all arguments that are known, before the first call. Arguments that
 * hold references are checked when their values are there.
 * @throws {AggregatorError} with all faults
 */
export async function planBatch(
  commands: readonly Command[],
  exchange: Exchange,
  serving: Serving,
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

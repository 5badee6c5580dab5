import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { RequestContext } from '../protocol/request-context.ts'
import { type Command, refused } from './batch/parse-commands.ts'
import { referencesIn } from './batch/references.ts'
import { type PrepareDeps, prepareCall } from './prepare-call.ts'

/**
 * Finds all tools and checks all known arguments before the first call. Arguments with references
 * are checked when their values are known.
 * @throws {AggregatorError} with all faults
 */
export async function planBatch(
  commands: readonly Command[],
  context: RequestContext,
  deps: PrepareDeps,
): Promise<void> {
  const outcomes = await Promise.allSettled(
    commands.map(({ module, account, tool, params }) => {
      const hasReferences = referencesIn(params).length > 0
      return prepareCall({ module, account, tool, params, hasReferences }, context, deps)
    }),
  )
  const faults = outcomes.flatMap((outcome, index) => {
    if (outcome.status === 'fulfilled') return []
    const { reason } = outcome
    const problem =
      reason instanceof AggregatorError ? `${reason.message} ${reason.remedy}` : String(reason)
    return [`line ${commands[index]?.line}: ${problem}`]
  })
  if (faults.length > 0) throw refused(faults)
}

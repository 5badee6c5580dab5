import { AggregatorError } from '../aggregator-error.ts'
import { type PreparedCall, prepareCall } from '../meta-tools/prepare-call.ts'
import type { Exchange } from '../relay/exchange.ts'
import type { Serving } from '../requests/serving.ts'
import type { Fields } from '../upstream/connection.ts'
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
    commands.map((command) => prepareKnown(command, exchange, serving)),
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

function prepareKnown(
  { module, tool, params }: Command,
  exchange: Exchange,
  serving: Serving,
): Promise<PreparedCall> {
  const open = openKeys(params)
  if (open.size === 0) return prepareCall({ module, tool, params }, exchange, serving)
  const known = Object.fromEntries(
    Object.entries(params as Fields).filter(([key]) => !open.has(key)),
  )
  const validate: Serving['validate'] = (args, schema) =>
    serving.validate(args, withoutKeys(schema, open))
  return prepareCall({ module, tool, params: known }, exchange, { ...serving, validate })
}

/** Parameters whose values are not known yet. */
function openKeys(params: unknown): Set<string> {
  if (typeof params !== 'object' || params === null) return new Set()
  return new Set(
    Object.entries(params)
      .filter(([, value]) => referencesIn(value).length > 0)
      .map(([key]) => key),
  )
}

/** A schema that does not ask for them. */
function withoutKeys(schema: unknown, keys: ReadonlySet<string>): unknown {
  const { required } = (schema ?? {}) as { required?: unknown }
  if (!Array.isArray(required)) return schema
  return { ...(schema as Fields), required: required.filter((key) => !keys.has(key)) }
}

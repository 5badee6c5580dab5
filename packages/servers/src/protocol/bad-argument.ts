import { AggregatorError } from './aggregator-error.ts'
import { quoteValue } from './quote-value.ts'

/** The error for an argument that is missing or not valid. */
export function badArgument(name: string, value: unknown, requested: string): AggregatorError {
  const fault = value === undefined ? 'is missing' : `is not valid: ${quoteValue(value)}`
  return new AggregatorError('bad_argument', `${name} ${fault}.`, `Pass ${requested}.`)
}

import { AggregatorError } from '../protocol/aggregator-error.ts'

export const badConfig = (message: string): AggregatorError =>
  new AggregatorError('bad_config', `${message}.`, 'Correct the configuration file.')

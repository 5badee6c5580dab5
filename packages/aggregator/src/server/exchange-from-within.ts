import { AggregatorError } from '../protocol/aggregator-error.ts'
import type { Access, Exchange } from '../protocol/exchange.ts'

/** A request of this process itself, which nobody can be asked about. */
export function exchangeFromWithin({
  access,
  signal,
  as = 'within',
}: {
  access?: Access | undefined
  signal?: AbortSignal | undefined
  as?: string | undefined
} = {}): Exchange {
  const session = {
    id: as,
    era: 'modern',
    access,
    capabilities: {},
    notify() {},
  } as const
  return {
    session,
    signal: signal ?? new AbortController().signal,
    capabilities: {},
    meta: undefined,
    logLevel: undefined,
    takesInputRequired: false,
    retry: undefined,
    notify() {},
    async ask({ method }) {
      throw new AggregatorError(
        'cannot_ask',
        `The server asks for ${method}.`,
        'Call it by a client.',
      )
    },
  }
}

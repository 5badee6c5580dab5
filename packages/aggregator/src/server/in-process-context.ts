import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { Access, RequestContext } from '#servers/protocol/request-context'

/** The context of a request of this process, without a client that could be asked. */
export function createInProcessContext({
  access,
  signal,
  as = 'within',
}: {
  access?: Access | undefined
  signal?: AbortSignal | undefined
  as?: string | undefined
} = {}): RequestContext {
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
    passthrough: {
      meta: undefined,
      logLevel: undefined,
      takes: { inputRequired: false, tasks: false },
      retry: undefined,
    },
    notify() {},
    async ask({ method }) {
      throw new AggregatorError(
        'cannot_ask',
        `The server requests ${method}, which needs a client.`,
        'Call the tool through an MCP client.',
      )
    },
  }
}

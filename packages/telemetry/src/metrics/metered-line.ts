/**
 * The counted members of a journal line; has the shape of `JournalLine` of @pith-mcp/aggregator.
 */
export interface MeteredLine {
  kind: 'call' | 'meta' | 'read' | 'ask' | 'list' | 'admin' | 'event'
  module?: string | undefined
  account?: string | undefined
  tool?: string | undefined
  argsTokens?: number | undefined
  resultTokens?: number | undefined
  sentTokens?: number | undefined
  outcome: string
  reason?: string | undefined
  count?: number | undefined
}

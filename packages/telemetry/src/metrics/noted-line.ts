/** What is counted of a line of the journal; the shape of `JournalLine` of @pith-mcp/aggregator. */
export interface NotedLine {
  kind: 'call' | 'meta' | 'list' | 'event'
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

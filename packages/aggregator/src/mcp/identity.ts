/** Who we are to servers and to clients. */
export const identity = {
  name: 'aggregator-mcp',
  title: 'Pith aggregator',
  version: '0.0.0',
} as const

/** The package of this program, as entries of clients name it. */
export const packageName = '@pith-mcp/aggregator-mcp'

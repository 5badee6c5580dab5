import type { Remedies } from '@pith-mcp/aggregator'

/** What to do about errors, in the commands of this program. */
export const remedies: Remedies = {
  signIn: (server) => `Run "aggregator-mcp login ${server}".`,
  approveTool: () => 'A person must review and approve it first; "aggregator-mcp pin" lists it.',
  startServer: (server) => `Start ${server} again in the console.`,
}

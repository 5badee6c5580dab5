import type { Command } from './command.ts'

const flags = ['write', 'force', 'skill', 'rules', 'json', 'no-review']

export const command: Command = {
  usage: `aggregator-mcp setup [--write] [options]

Find the clients of this computer, and show the file and the entry of the aggregator for each.
Passes the options of serving on. "remove CLIENT --user" takes out what was written.

      --write              write without a question
      --name NAME          name of the entry (default pith)
      --force              replace another server of this name
      --skill              also a skill that says when to use the tools
      --rules              also a marked block in AGENTS.md or the client's rules
      --no-review          do not start the servers to show and pin what they offer
      --json               the plan as JSON; write nothing`,
  isRecorded: true,
  options: {
    name: { type: 'string' },
    ...Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }])),
  },
  run: async (context) => (await import('./add-client.ts')).setUpClients(context),
}

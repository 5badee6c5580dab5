import { listClients } from '../operations/clients.ts'
import type { Command } from './command.ts'
import { withOperations } from './with-operations.ts'

export const command: Command = {
  usage: `aggregator-mcp clients [--json]

List the MCP clients of this computer, their entries that start the aggregator, and when they were
last seen, by the names that they give. Connect one with: aggregator-mcp add CLIENT`,
  options: { json: { type: 'boolean' } },
  async run(context) {
    const { values, print, printJson } = context
    const list = await withOperations(context, true, (_, perform) =>
      perform('clients', listClients),
    )
    if (values['json'] === true) printJson(list, 2)
    else for (const client of list.clients) for (const line of linesOf(client)) print(line)
    return 0
  },
}

type Listed = Awaited<ReturnType<typeof listClients.run>>['clients'][number]

function linesOf({ name, file, problem, entries, ...client }: Listed): string[] {
  const { isInstalled, lastSeen, lastCall = 'never' } = client
  const seen = lastSeen ? `last seen ${lastSeen}, last call ${lastCall}` : 'last seen unknown'
  const about = [isInstalled ? file : 'not found', problem, (isInstalled || lastSeen) && seen]
  const lines = entries.map(
    (entry) => `  ${entry.name} in ${entry.file}: ${entry.options.join(', ') || 'default'}`,
  )
  return [`${name}: ${about.filter(Boolean).join(', ')}`, ...lines]
}

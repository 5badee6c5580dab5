import type { ClientActivity } from '../attention/recent-activity.ts'
import { listClients } from '../operations/clients.ts'
import type { Command } from './command.ts'
import { withOperations } from './with-operations.ts'

export const command: Command = {
  usage: `aggregator-mcp clients [--json]

List the MCP clients of this computer: whether they were found, which entries they have of the
aggregator, and when they were last seen, as far as the journal has their names. Connect one with
add CLIENT.`,
  options: { json: { type: 'boolean' } },
  async run(context) {
    const { values, print, printJson } = context
    return withOperations(context, true, async (_, perform) => {
      const list = await perform('clients', listClients)
      if (values['json'] === true) printJson(list, 2)
      else {
        if (list.reason !== undefined) print(list.reason)
        for (const { name, isInstalled, problem, file, entries, ...times } of list.clients) {
          const isKnown = isInstalled || times.lastSeen !== undefined
          const where = `${isInstalled ? file : 'not found'}${problem ? `, unreadable: ${problem}` : ''}`
          print(`${name}: ${where}${isKnown ? seenText(times) : ''}`)
          for (const { name: entry, file: path, config, profile, mode } of entries) {
            const flags = [...config, profile && `profile ${profile}`, mode && `mode ${mode}`]
            print(`  ${entry} in ${path}: ${flags.filter(Boolean).join(', ') || 'as by default'}`)
          }
        }
        for (const { name, ...times } of list.others) print(`${name}: other${seenText(times)}`)
      }
      return 0
    })
  },
}

/** A client that was seen and called nothing may need other words, or approvals. */
function seenText({
  lastSeen,
  lastCall,
}: { [Name in keyof ClientActivity]?: string | undefined }): string {
  if (lastSeen === undefined) return ', last seen unknown'
  return `, last seen ${lastSeen}, ${lastCall ? `last call ${lastCall}` : 'never called'}`
}

import { runningProcesses } from '../open/running.ts'
import { countOf, lossText, refusedText } from '../text-of.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp status [--state DIR] [--json]

List running aggregators and their servers. Exits with 1 if none is running.`,
  options: { json: { type: 'boolean' } },
  async run({ settings, values, print, printJson }) {
    const running = settings.state === false ? [] : runningProcesses(settings.state)
    if (values['json'] === true) printJson(running, 2)
    else if (running.length === 0) print('No aggregator is running.')
    else
      for (const entry of running) {
        const { pid, startedAt, http, config, mode, profile, clients, servers, journalLoss } = entry
        const { refused = [] } = entry
        const where = http === undefined ? 'stdio' : `HTTP ${http}`
        const limit = profile === undefined ? '' : `, profile ${profile}`
        const connected = countOf(clients, 'client')
        print(`${pid}: since ${startedAt}, ${where}, ${mode}${limit}, ${connected}, ${config}`)
        if (journalLoss) print(`  ${lossText(journalLoss)}`)
        for (const document of refused) print(`  ${refusedText(document)}`)
        for (const { name, state, held: heldCount, calls, starts, lastError } of servers)
          print(
            `  ${name}: ${state},${heldCount > 0 ? ` ${countOf(heldCount, 'tool')} held,` : ''} ${countOf(calls, 'call')} sent, ${countOf(starts, 'start')}${lastError ? `; ${lastError}` : ''}`,
          )
      }
    return running.length === 0 ? 1 : 0
  },
}

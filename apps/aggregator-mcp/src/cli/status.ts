import { runningProcesses } from '../open/running.ts'
import { lossText } from '../text-of.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp status [--state DIR] [--json]

The aggregators that run now, each with its servers. Ends with 1 if none runs.`,
  options: { json: { type: 'boolean' } },
  async run({ settings, values, print }) {
    const running = settings.state === false ? [] : runningProcesses(settings.state)
    if (values['json'] === true) print(JSON.stringify(running, null, 2))
    else if (running.length === 0) print('No aggregator runs here.')
    else
      for (const one of running) {
        const { pid, startedAt, http, config, mode, profile, clients, servers, journalLoss } = one
        const where = http === undefined ? 'stdio' : `HTTP ${http}`
        const seen = profile === undefined ? '' : `, profile ${profile}`
        print(`${pid}: since ${startedAt}, ${where}, ${mode}${seen}, ${clients} clients, ${config}`)
        if (journalLoss) print(`  ${lossText(journalLoss)}`)
        for (const { name, state, calls, starts, lastError } of servers)
          print(
            `  ${name}: ${state}, ${calls} calls, ${starts} starts${lastError ? `; ${lastError}` : ''}`,
          )
      }
    return running.length === 0 ? 1 : 0
  },
}

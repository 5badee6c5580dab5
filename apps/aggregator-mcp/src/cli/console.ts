import { linkTo } from '@pith-mcp/console/server'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { openInBrowser } from '../open/open-in-browser.ts'
import { openSharedConsole } from '../open/open-shared-console.ts'
import { consoleOf, runningProcesses } from '../open/running.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp console [--print] [--pid PID] [--state DIR]

Open the console of a running aggregator in a browser: servers and their settings, the registry,
review of tools, live calls, usage, journal, clients, profiles, tokens. If none serves HTTP, the
process of this user's clients serves it, which is started if need be. The link works once, within 10 minutes; --print prints it instead.`,
  options: { print: { type: 'boolean' }, pid: { type: 'string' } },
  async run({ settings, values, print }) {
    if (settings.state === false) throw new UsageError('console: Not available with --no-state.')
    const { state } = settings
    const pidOption = values['pid']
    const consolesNow = () =>
      runningProcesses(state)
        .filter(({ pid }) => pidOption === undefined || String(pid) === pidOption)
        .flatMap(({ name, pid, config }) => {
          const endpoint = consoleOf(state, name)
          return endpoint ? [{ pid, config, ...endpoint }] : []
        })
    if (consolesNow().length === 0 && pidOption === undefined) await openSharedConsole(settings)
    const consoles = consolesNow()
    const [first, ...more] = consoles
    if (first === undefined)
      throw new UsageError(
        pidOption === undefined
          ? 'console: No running aggregator serves HTTP. Start one: aggregator-mcp --http 8808'
          : `console: No aggregator with the process id ${pidOption} serves HTTP. List them with: aggregator-mcp status`,
      )
    if (more.length > 0) {
      const choices = consoles.map(({ pid, url, config }) => `${pid} (${url}, ${config})`)
      throw new UsageError(
        `console: Several aggregators serve HTTP. Select one with --pid: ${choices.join(', ')}.`,
      )
    }
    const link = linkTo(first.url, first.key)
    if (values['print'] === true) print(link)
    else {
      const isOpened = await openInBrowser(link)
      print(
        isOpened
          ? `Opened ${first.url} in a browser.`
          : `No browser could be opened here. The link works once, within 10 minutes: ${link}`,
      )
    }
    return 0
  },
}

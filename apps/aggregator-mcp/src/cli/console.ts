import { openInBrowser } from '../open/open-in-browser.ts'
import { consoleOf, runningProcesses } from '../open/running.ts'
import { linkTo } from '../session/link-to.ts'
import { UsageError } from '../usage-error.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp console [--print] [--pid PID] [--state DIR]

Opens the console of a running aggregator in a browser: servers, tools, live calls, usage, journal,
pins, sign-ins, profiles, tokens. One that serves HTTP has it: aggregator-mcp --http 8808. The link
opens it once, within 10 minutes; --print prints it instead.`,
  options: { print: { type: 'boolean' }, pid: { type: 'string' } },
  async run({ settings, values, print }) {
    if (settings.state === false) throw new UsageError('console: nothing is kept with --no-state.')
    const { state } = settings
    const wanted = values['pid']
    const consoles = runningProcesses(state)
      .filter(({ pid }) => wanted === undefined || String(pid) === wanted)
      .flatMap(({ pid, config }) => {
        const found = consoleOf(state, pid)
        return found ? [{ pid, config, ...found }] : []
      })
    const [first, ...more] = consoles
    if (first === undefined)
      throw new UsageError(
        wanted === undefined
          ? 'console: no aggregator that serves HTTP runs here. Start one: aggregator-mcp --http 8808'
          : `console --pid ${wanted}: no aggregator with that number serves HTTP; aggregator-mcp status lists those that run.`,
      )
    if (more.length > 0) {
      const named = consoles.map(({ pid, url, config }) => `${pid} (${url}, ${config})`)
      throw new UsageError(`console: several run; name one by --pid: ${named.join(', ')}.`)
    }
    const link = linkTo(first.url, first.key)
    if (values['print'] === true) print(link)
    else {
      await openInBrowser(link)
      print(`Opened ${first.url} in a browser.`)
    }
    return 0
  },
}

import { countOf } from '@pith-mcp/base/count-of'
import { attentionOf, lineOf } from '../attention/attention-of.ts'
import { activityOf, createActivity } from '../attention/recent-activity.ts'
import { withState } from '../open/open-state.ts'
import { residentBytes } from '../open/resident-bytes.ts'
import { type RunningProcess, runningProcesses } from '../open/running.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { sharingTexts, shortMessage } from '../text-of.ts'
import type { Command, CommandContext } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp status [--state DIR] [--json]

List running aggregators with what needs attention, and their servers. Exits with 1 if none is
running.`,
  options: { json: { type: 'boolean' } },
  async run(context) {
    const { settings, values, print, printJson } = context
    const running = settings.state === false ? [] : runningProcesses(settings.state)
    const all = await Promise.all(running.map((entry) => withAttention(entry, context)))
    if (values['json'] === true) printJson(all, 2)
    else if (running.length === 0) print('No aggregator is running.')
    else
      for (const { attention, servers, ...entry } of all) {
        const { pid, startedAt, http, config, mode, profile, clients } = entry
        const where = http === undefined ? 'stdio' : `HTTP ${http}`
        const limit = profile === undefined ? '' : `, profile ${profile}`
        const connected = countOf(clients, 'client')
        print(`${pid}: since ${startedAt}, ${where}, ${mode}${limit}, ${connected}, ${config}`)
        for (const item of attention) print(lineOf(item))
        const inFolders = entry.sessions.filter(({ folder }) => folder !== undefined)
        for (const { client = 'without a name', folder, since } of inFolders)
          print(`  client ${client} in ${folder} since ${since}`)
        for (const server of servers) print(`  ${textOf(server, inFolders.length > 0)}`)
      }
    return running.length === 0 ? 1 : 0
  },
}

function textOf(
  {
    name,
    state,
    held,
    notReviewed,
    calls,
    starts,
    sharing,
    pids,
  }: RunningProcess['servers'][number],
  isShared: boolean,
): string {
  const megabytes = pids.map((pid) => (residentBytes(pid) ?? 0) / 1024 ** 2)
  const parts = [
    state,
    held > 0 && `${countOf(held, 'tool')} held`,
    notReviewed > 0 && 'not reviewed',
    `${countOf(calls, 'call')} sent`,
    countOf(starts, 'start'),
    isShared && sharingTexts[sharing],
    ...megabytes.map((size) => size > 0 && `${Math.ceil(size)} MB`),
  ]
  return `${name}: ${parts.filter(Boolean).join(', ')}`
}

/** With what its file and the journal say. */
async function withAttention(entry: RunningProcess, { settings, log }: CommandContext) {
  const own = { ...settings, config: entry.config }
  const activity = await readConfigFiles(own)
    .then((config) => withState(own, config.settings.journal, log, (state) => activityOf(state, 1)))
    .catch((error: unknown) => {
      log(`The journal of ${entry.pid} was not read: ${shortMessage(error)}`)
      return createActivity().now()
    })
  return { ...entry, attention: attentionOf({ ...entry, ...activity }) }
}

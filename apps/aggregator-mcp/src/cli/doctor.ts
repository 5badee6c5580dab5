import { accessSync, constants, mkdirSync, readFileSync, statSync } from 'node:fs'
import { qualifiedName, type ServerConfig, unitsOf } from '@pith-mcp/aggregator'
import { countOf } from '@pith-mcp/base/count-of'
import { nodeFinding } from '@pith-mcp/server-kit/run'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { attentionOf, lineOf } from '../attention/attention-of.ts'
import { activityOf } from '../attention/recent-activity.ts'
import { examine, faultsOf } from '../doctor/examine.ts'
import { idleSettings } from '../open/idle-settings.ts'
import { journalFolderOf } from '../open/open-state.ts'
import { factsOf, runningProcesses } from '../open/running.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { telemetryFaults } from '../telemetry/open-telemetry.ts'
import { newToolsText, sandboxText, sharingTexts } from '../text-of.ts'
import { version } from '../version.ts'
import type { Command } from './command.ts'
import { markText } from './review.ts'
import { type Opened, withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp doctor [SERVER …] [--config FILE]

Start every server with each of its accounts, and report problems and how to fix them.
Exits with 1 if there are any.
${sandboxText}`,
  options: {},
  async run(context) {
    const { settings, words, print } = context
    const config = await readConfigFiles(settings).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error
      for (const fault of [error.message, ...faultsOfNode()]) print(fault)
      print('The other checks need a configuration.')
    })
    if (config === undefined) return 1
    const faults = [
      ...settings.config.flatMap(faultsOfFile),
      ...faultsOfNode(),
      ...(await telemetryFaults(config.settings.telemetry)),
      ...faultsOfJournal(journalFolderOf(config.settings.journal, settings.state)),
    ]
    for (const fault of faults) print(fault)
    const { trust, journal } = config.settings
    if (journal === false || (settings.state === false && journal === undefined))
      print('There is no journal: a call that is repeated after a crash is sent twice.')
    if (trust?.pin !== false) print(newToolsText[trust?.new ?? 'ignore'])
    const names = config.servers.map(({ name }) => name)
    const unknown = words.find((word) => !names.includes(word))
    if (unknown !== undefined) {
      const off = config.disabled.includes(unknown)
      throw new UsageError(
        off
          ? `doctor: The server ${unknown} is disabled.`
          : `doctor: There is no server ${unknown}. Configured: ${names.join(', ') || 'none'}.`,
      )
    }
    const servers = config.servers.filter(({ name }) => words.length === 0 || words.includes(name))
    if (servers.some((server) => server.type === 'stdio' && server.sandbox)) print(sandboxText)
    const problemCount = await withAggregator({ ...context, log: () => {} }, async (opened) => {
      const { gateway } = opened.aggregator
      const units = servers.flatMap(unitsOf)
      const reports = await Promise.all(
        units.map((unit) => examine(unit, gateway, opened.viewer.session)),
      )
      for (const { lines } of reports) for (const line of lines) print(line)
      if (settings.share) for (const unit of units) print(sharingLine(unit, gateway))
      const view = gateway.viewFor(opened.viewer)
      const absent = units.flatMap((unit) => view.unitTools(unit)?.absent ?? [])
      for (const unit of units)
        for (const tool of view.unitTools(unit)?.tools ?? [])
          for (const mark of gateway.trust.marksOf(unit, tool.definition))
            print(`${qualifiedName(unit)}.${tool.name}: ! ${markText(mark)}`)
      for (const { server, name, reason } of absent)
        print(`${qualifiedName(server)}.${name}: ${reason}`)
      const faults = units.flatMap((unit) => faultsOf(unit, gateway))
      const idle = await idleSettings(config, opened.aggregator)
      const items = await itemsOf(opened, { idle, units, state: settings.state })
      if (items.length > 0) print('Needs attention:')
      for (const item of items) print(lineOf(item))
      // Servers and tools are counted by their reports; what happened before is no fault of now.
      const faultyItems = items.filter(({ kind }) => /^(?:lines|document|setting)_/.test(kind))
      const down = reports.filter(({ isHealthy }) => !isHealthy)
      return down.length + absent.length + faults.length + faultyItems.length
    })
    const all = problemCount + faults.length
    print(all === 0 ? 'No problems found.' : `${countOf(all, 'problem')} found.`)
    return all === 0 ? 0 : 1
  },
}

function sharingLine(unit: ServerConfig, { fleet }: Opened['aggregator']['gateway']): string {
  const { sharing } = fleet.statusOf(unit)
  return `${qualifiedName(unit)}: ${sharingTexts[sharing.with]}: ${sharing.why}.`
}

/** Matches configurations that may hold credentials, also in arguments and URLs. */
const secretKeys = /"(?:env|headers)"\s*:|token|secret|password|authorization|api.?key/i

/** Reports a file that may hold credentials and that other users can read. */
function faultsOfFile(path: string): string[] {
  if (process.platform === 'win32') return []
  const isOpen = (statSync(path).mode & 0o044) !== 0
  return isOpen && secretKeys.test(readFileSync(path, 'utf8'))
    ? [`${path} can be read by other users. Run chmod 600 on it if it holds credentials.`]
    : []
}

/** How far back the journal is read: lines may have been lost at the weekend. */
const days = 7

/** What needs attention of these units, of all settings, and of the journal. */
async function itemsOf(
  opened: Opened,
  { idle, units, state }: { idle: string[]; units: ServerConfig[]; state: string | false },
) {
  const facts = factsOf({ ...opened, journal: {} }, idle)
  const names = units.map(qualifiedName)
  const { gaps, ...activity } = await activityOf(opened.state, days)
  const running = state === false ? [] : runningProcesses(state)
  return attentionOf({
    ...facts,
    ...activity,
    servers: facts.servers.filter(({ name }) => names.includes(name)),
    gaps: [...gaps, ...running.flatMap(({ journalLoss }) => journalLoss ?? [])],
  })
}

function faultsOfJournal(folder: string | undefined): string[] {
  if (folder === undefined) return []
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    return []
  } catch (error) {
    return [`The journal cannot be written: ${(error as Error).message}`]
  }
}

function faultsOfNode(): string[] {
  const { isOk, text } = nodeFinding('aggregator-mcp', version)
  return isOk ? [] : [text]
}

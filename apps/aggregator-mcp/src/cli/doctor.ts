import { accessSync, constants, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createFileJournalReader, unitName, unitsOf } from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Settings } from '../config.ts'
import { examine, faultsOf } from '../doctor/examine.ts'
import { idleSettings } from '../open/idle-settings.ts'
import { journalFolderOf } from '../open/open-state.ts'
import { runningProcesses } from '../open/running.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { telemetryFaults } from '../telemetry/open-telemetry.ts'
import { countOf, lossText, newToolsText, refusedText, sandboxText } from '../text-of.ts'
import type { Command } from './command.ts'
import { withAggregator } from './with-aggregator.ts'

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
      ...(await faultsOfJournal(
        journalFolderOf(config.settings.journal, settings.state),
        settings,
      )),
    ]
    for (const fault of faults) print(fault)
    const { trust } = config.settings
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
      const view = gateway.viewFor(opened.viewer)
      const absent = units.flatMap((unit) => view.unitTools(unit)?.absent ?? [])
      for (const { server, name, reason } of absent) print(`${unitName(server)}.${name}: ${reason}`)
      const idle = await idleSettings(config, opened.aggregator)
      for (const text of idle) print(text)
      const faults = units.flatMap((unit) => faultsOf(unit, gateway))
      const refused = opened.state.engines.shared?.documents.refused() ?? []
      for (const document of refused) print(refusedText(document))
      const down = reports.filter(({ isHealthy }) => !isHealthy)
      return down.length + absent.length + faults.length + idle.length + refused.length
    })
    const all = problemCount + faults.length
    print(all === 0 ? 'No problems found.' : `${countOf(all, 'problem')} found.`)
    return all === 0 ? 0 : 1
  },
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

/** How far back gaps of the journal are reported, in milliseconds. */
const gapMs = 7 * 86_400_000

/** Reports lines missing from the journal: by running processes, and by the gaps it records. */
async function faultsOfJournal(folder: string | undefined, { state }: Settings): Promise<string[]> {
  const running = state === false ? [] : runningProcesses(state)
  const reported = new Set<string>()
  const faults = running.flatMap(({ pid, journalLoss }) => {
    if (!journalLoss) return []
    reported.add(journalLoss.time)
    return [`Process ${pid}: ${lossText(journalLoss)}`]
  })
  if (folder === undefined) return faults
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    return [...faults, `The journal cannot be written: ${(error as Error).message}`]
  }
  const since = new Date(Date.now() - gapMs).toISOString()
  // Gaps of running processes are reported above.
  for await (const { outcome, time, count = 1, message = '' } of createFileJournalReader(
    folder,
  ).read(since))
    if (outcome === 'journal_gap' && !reported.has(time))
      faults.push(lossText({ lines: count, message, time }))
  return faults
}

function faultsOfNode(): string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
    ? []
    : [`Node ${process.versions.node} is older than 20.19, the oldest supported version.`]
}

import { accessSync, constants, mkdirSync, readFileSync, statSync } from 'node:fs'
import { readJournal, unitName, unitsOf } from '@pith-mcp/aggregator'
import type { Settings } from '../config.ts'
import { examine } from '../doctor/examine.ts'
import { journalFolderOf } from '../open/open-aggregator.ts'
import { runningProcesses } from '../open/running.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { telemetryFaults } from '../telemetry/open-telemetry.ts'
import { lossText } from '../text-of.ts'
import { UsageError } from '../usage-error.ts'
import type { Command } from './command.ts'
import { withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp doctor [SERVER …] [--config FILE]

Starts every server with each of its accounts, and says what is wrong and what to do about it.
Ends with 1 if anything is.`,
  options: {},
  async run(context) {
    const { settings, words, print } = context
    const config = await readConfigFiles(settings.config).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error
      for (const fault of [error.message, ...faultsOfNode()]) print(fault)
      print('Without a configuration there is nothing else to look at.')
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
    const names = config.servers.map(({ name }) => name)
    const unknown = words.find((word) => !names.includes(word))
    if (unknown !== undefined) {
      const off = config.disabled.includes(unknown)
      throw new UsageError(
        `doctor ${unknown}: ${off ? 'it is switched off' : `there is no such server; there are ${names.join(', ') || 'none'}`}.`,
      )
    }
    const servers = config.servers.filter(({ name }) => words.length === 0 || words.includes(name))
    const found = await withAggregator({ ...context, log: () => {} }, async (opened) => {
      const { gateway } = opened.aggregator
      const units = servers.flatMap(unitsOf)
      const reports = await Promise.all(
        units.map((unit) => examine(unit, gateway, opened.viewer.session)),
      )
      for (const { lines } of reports) for (const line of lines) print(line)
      const view = gateway.viewFor(opened.viewer)
      const absent = units.flatMap((unit) => view.unitTools(unit)?.absent ?? [])
      for (const { server, name, said } of absent) print(`${unitName(server)}.${name}: ${said}`)
      return reports.filter(({ isWell }) => !isWell).length + absent.length
    })
    const all = found + faults.length
    print(
      all === 0
        ? 'Nothing is wrong.'
        : `${all} ${all === 1 ? 'thing needs' : 'things need'} a look.`,
    )
    return all === 0 ? 0 : 1
  },
}

/** Where credentials stand, and how they are called in arguments and addresses. */
const secretKeys = /"(?:env|headers)"\s*:|token|secret|password|authorization|api.?key/i

/** Secrets in a file that others can read are theirs. */
function faultsOfFile(path: string): string[] {
  if (process.platform === 'win32') return []
  const isOpen = (statSync(path).mode & 0o044) !== 0
  return isOpen && secretKeys.test(readFileSync(path, 'utf8'))
    ? [`${path} can be read by others; chmod 600 it if it holds credentials.`]
    : []
}

/** How far back gaps are looked for. */
const gapMs = 7 * 86_400_000

/** Lines that are missing: of the processes that run now, and those that a journal says itself. */
async function faultsOfJournal(folder: string | undefined, { state }: Settings): Promise<string[]> {
  const running = state === false ? [] : runningProcesses(state)
  const isSaid = new Set<string>()
  const faults = running.flatMap(({ pid, journalLoss }) => {
    if (!journalLoss) return []
    isSaid.add(journalLoss.time)
    return [`process ${pid}: ${lossText(journalLoss)}`]
  })
  if (folder === undefined) return faults
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    return [...faults, `The journal cannot be written: ${(error as Error).message}`]
  }
  const since = new Date(Date.now() - gapMs).toISOString()
  // A process that still runs has said so itself.
  for await (const { outcome, time, count = 1, said = '' } of readJournal(folder, since))
    if (outcome === 'journal_gap' && !isSaid.has(time))
      faults.push(lossText({ lines: count, said, time }))
  return faults
}

function faultsOfNode(): string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
    ? []
    : [`Node ${process.versions.node} is older than 20.19, which is the oldest that is tested.`]
}

import { statSync } from 'node:fs'
import { type ServerConfig, sandboxOf, saySandbox, unitName, unitsOf } from '@pith-mcp/aggregator'
import { readConfigFiles } from '../read-config-files.ts'
import { UsageError } from '../usage-error.ts'
import type { Command } from './command.ts'
import { type Opened, withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp doctor [SERVER …] [--config FILE]

Starts every server with each of its accounts, and says what is wrong and what to do about it.
Ends with 1 if anything is.`,
  options: {},
  async run(context) {
    const { settings, words, print } = context
    const config = await readConfigFiles(settings.config)
    const faults = [...settings.config.flatMap(faultsOfFile), ...faultsOfNode()]
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
      const reports = await Promise.all(
        servers.flatMap(unitsOf).map((unit) => examine(unit, opened)),
      )
      for (const { lines } of reports) for (const line of lines) print(line)
      const { absent } = opened.aggregator.gateway.viewFor(opened.viewer)
      for (const { server, name, said } of absent) print(`${server.name}.${name}: ${said}`)
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

/** Secrets in a file that others can read are theirs. */
function faultsOfFile(path: string): string[] {
  if (process.platform === 'win32') return []
  const isOpen = (statSync(path).mode & 0o044) !== 0
  return isOpen ? [`${path} can be read by others; chmod 600 it if it holds credentials.`] : []
}

function faultsOfNode(): string[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 20 || (major === 20 && minor >= 19)
    ? []
    : [`Node ${process.versions.node} is older than 20.19, which is the oldest that is tested.`]
}

async function examine(
  unit: ServerConfig,
  { aggregator: { gateway }, viewer }: Opened,
): Promise<{ isWell: boolean; lines: string[] }> {
  const started = performance.now()
  const name = unitName(unit)
  try {
    await gateway.confirm(unit, viewer.session, {})
    const ms = Math.round(performance.now() - started)
    const entry = gateway.catalog.entryOf(name, '{}')
    const info = entry?.serverInfo
    const said = [
      `${entry?.tools.length ?? 0} tools`,
      `${entry?.era === 'modern' ? '2026-07-28' : '2025 or earlier'}`,
      ...(info ? [`${info['name']} ${info['version']}`] : []),
      `${ms} ms`,
    ]
    const report = await sandboxOf(unit)
    const inForce = report === undefined ? [] : [`  sandbox: ${saySandbox(report)}`]
    return { isWell: true, lines: [`${name}: well; ${said.join(', ')}`, ...inForce] }
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string }
    return {
      isWell: false,
      lines: [`${name}: ${message}${remedy ? ` ${remedy}` : ''}`, ...adviceFor(unit, message)],
    }
  }
}

/** What most often is behind it. */
const advice: readonly [RegExp, (unit: ServerConfig) => string][] = [
  [/the command .* was not found in /, () => 'is there such a folder (cwd)?'],
  [
    /the command .* was not found/,
    (unit) =>
      `is ${unit.type === 'stdio' ? unit.command : ''} installed, and in the PATH that this program sees?`,
  ],
  [/EACCES/, () => 'the file may not be run; chmod +x it.'],
  [
    /did not answer within/,
    () => 'raise startTimeoutSeconds if it needs longer, such as a first npx.',
  ],
  [/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/, () => 'does something listen at that address?'],
  [/\b401\b|\b403\b/, () => 'it wants a sign-in or a valid key.'],
]

function adviceFor(unit: ServerConfig, message: string): string[] {
  const found = advice.find(([pattern]) => pattern.test(message))
  return found ? [`  ${found[1](unit)}`] : []
}

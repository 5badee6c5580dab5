import { unknownCommand } from '@pith-mcp/server-kit/settings'
import { parseConfig } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { jsonFor, lineFor, linesFor } from '../text-of.ts'
import type { Command } from './command.ts'
import type { Verb } from './control.ts'

/** Loaded on demand: serving needs none of them. */
const loaders: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  setup: () => import('./setup.ts'),
  add: () => import('./add.ts'),
  remove: () => import('./remove.ts'),
  registry: () => import('./registry.ts'),
  start: () => control('start'),
  stop: () => control('stop'),
  restart: () => control('restart'),
  config: () => import('./config.ts'),
  list: () => import('./list.ts'),
  tools: () => import('./tools.ts'),
  search: () => import('./search.ts'),
  call: () => import('./call.ts'),
  login: () => import('./login.ts'),
  logout: async () => ({ command: (await import('./login.ts')).logout }),
  status: () => import('./status.ts'),
  doctor: () => import('./doctor.ts'),
  pin: () => import('./pin.ts'),
  approvals: () => import('./approvals.ts'),
  explain: () => import('./explain.ts'),
  stats: () => import('./stats.ts'),
  meter: () => import('./meter.ts'),
  journal: () => import('./journal.ts'),
  console: () => import('./console.ts'),
  clients: () => import('./clients.ts'),
  token: () => import('./token.ts'),
  skills: () => import('./skills.ts'),
  migrate: () => import('./migrate.ts'),
}

export const commands: readonly string[] = [...Object.keys(loaders), 'import']

const control = async (verb: Verb): Promise<{ command: Command }> => ({
  command: (await import('./control.ts')).controlCommand(verb),
})

/** Run `aggregator-mcp <name> …`. Resolves to the exit code. @throws {UsageError} */
export async function runCommand(name: string, argv: readonly string[], log: Log): Promise<number> {
  // import parses its own options and needs no configuration.
  if (name === 'import') return (await import('./import.ts')).importServers(argv, log)
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined
  if (load === undefined) {
    throw await unknownCommand(name, { program: 'aggregator-mcp', commands })
  }
  const { command } = await load()
  const { settings, words, values, helpRequested } = parseConfig(argv, process.env, command.options)
  const write = (text: string): void => void process.stdout.write(`${text}\n`)
  if (helpRequested) {
    write(command.usage)
    return 0
  }
  const run = () =>
    command.run({
      settings,
      words,
      values,
      print: (line) => write(lineFor(line)),
      printText: (text) => write(linesFor(text)),
      printJson: (value, indent) => write(jsonFor(value, indent)),
      log,
    })
  if (!command.isRecorded) return run()
  // What else is on the command line may be secret.
  const { recordCommand } = await import('./with-operations.ts')
  return recordCommand(`${name} ${words[0] ?? ''}`, { settings, log }, run)
}

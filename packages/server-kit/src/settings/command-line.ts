import type { SettingsTable } from './define-settings.ts'
import { flagsToAdd } from './describe-settings.ts'
import { type AddOptions, addOptions } from './http-lines.ts'
import { readArguments, readSettings } from './read-settings.ts'

/** What a command line asks for. Without a command, it is `serve`. */
interface CommandLine<Command extends string> extends AddOptions {
  command: 'serve' | 'help' | 'version' | Command
  /** The command that help is asked for. */
  topic: string | undefined
  /** Arguments after the command. */
  positionals: string[]
  /** The flags that the server understands, with which a client starts it. */
  serverFlags: string[]
}

/** The commands of a program and the tables of their options. */
interface Syntax<Command extends string, Answers> {
  commands: readonly Command[]
  /** Options of the commands that answer. */
  answers: SettingsTable<Answers>
  /** Options of the server. */
  served: readonly SettingsTable[]
}

/**
 * Reads a command line, without node and script. `isInfo`: only help or the version is asked for.
 * @throws {UsageError}
 */
export function readCommandLine<Command extends string, Answers>(
  argv: readonly string[],
  { commands, answers, served }: Syntax<Command, Answers>,
): { line: CommandLine<Command> & Answers; flags: Record<string, unknown>; isInfo: boolean } {
  const { values: flags, positionals } = readArguments(argv, [answers, ...served, addOptions])
  const [first, ...rest] = positionals
  const command = commands.find((name) => name === first)
  const isHelp = flags['help'] === true || first === 'help'
  const isVersion = flags['version'] === true
  const line = {
    ...readSettings(answers, { flags }),
    ...readSettings(addOptions, { flags }),
    command: isHelp ? 'help' : isVersion ? 'version' : (command ?? 'serve'),
    topic: first === 'help' ? rest[0] : command,
    positionals: command ? rest : positionals,
    serverFlags: served.flatMap((table) => flagsToAdd(table, flags)),
  } as const
  return { line, flags, isInfo: isHelp || isVersion }
}

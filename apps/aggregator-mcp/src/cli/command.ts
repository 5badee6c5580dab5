import { UsageError } from '@pith-mcp/server-kit/settings'
import type { Config, Options } from '../config.ts'

/** A subcommand. */
export interface Command {
  /** The output of `--help`. */
  usage: string
  options: Options
  /** Writes itself to the journal with its first word, as a change; operations do so on their own. */
  isRecorded?: true
  /** Resolves to the exit code. @throws {UsageError} for a wrong command line */
  run(context: CommandContext): Promise<number>
}

export interface CommandContext extends Pick<Config, 'settings' | 'words' | 'values'> {
  /** Writes a line of the result to stdout. */
  print(line: string): void
  /** Writes lines. */
  printText(text: string): void
  /** Writes a value as JSON. */
  printJson(value: unknown, indent?: number): void
  /** Writes a line about the work to stderr. */
  log(text: string): void
}

/** Checks that a word is one of the choices. @throws {UsageError} */
export function oneOf<T extends string>(choices: readonly T[], input: string, what: string): T {
  const match = choices.find((choice) => choice === input)
  if (match !== undefined) return match
  throw new UsageError(`${what} must be one of ${choices.join(', ')}, got "${input}".`)
}

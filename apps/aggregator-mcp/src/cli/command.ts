import type { Config, Environment, Options } from '../config.ts'

/** A command of the command line. */
export interface Command {
  /** What stands in `--help` of the command. */
  usage: string
  options: Options
  /** Resolves to the exit code. Rejects with `UsageError` for a wrong command line. */
  run(context: CommandContext): Promise<number>
}

export interface CommandContext extends Pick<Config, 'settings' | 'words' | 'values'> {
  environment: Environment
  /** A line for whoever called. */
  print(text: string): void
  /** About the work, not its result. */
  log(text: string): void
}

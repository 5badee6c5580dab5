import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { type Environment, readArguments, readSettings } from '@pith-mcp/server-kit/settings'
import { type GivenSettings, settings } from './settings.ts'

export interface Settings extends GivenSettings {
  state: string | false
}

export type Options = NonNullable<ParseArgsConfig['options']>

export interface Config {
  settings: Settings
  helpRequested: boolean
  versionRequested: boolean
  /** The positional arguments, in order. */
  words: string[]
  /** The parsed options, including those of the command; settings by their names. */
  values: Readonly<Record<string, unknown>>
}

/**
 * Parse a command line. `argv` starts after node, the script and the command.
 * @throws {UsageError}
 */
export function parseConfig(
  argv: readonly string[],
  environment: Environment = process.env,
  commandOptions?: Options,
): Config {
  const { values, positionals } = readArguments(argv, [settings], {
    options: commandOptions ?? {},
    // A mistyped command must not start a server.
    allowPositionals: commandOptions !== undefined,
  })
  const helpRequested = values['help'] === true
  const versionRequested = values['version'] === true
  // --help and --version work with a wrong environment too.
  const isInfoOnly = helpRequested || versionRequested
  // An empty variable is wrong, not unset: an empty token must not open the endpoint.
  const options = readSettings(settings, {
    flags: values,
    environment: isInfoOnly ? {} : environment,
  })
  return {
    settings: {
      ...options,
      config: options.config.length > 0 ? options.config : [defaultConfig(environment)],
      state: options.state ?? stateFolder(environment),
    },
    helpRequested,
    versionRequested,
    words: positionals,
    values,
  }
}

/**
 * The default configuration file. It is not in the current folder: the owner of that folder would
 * decide which programs are started.
 */
export const defaultConfig = (environment: Environment): string =>
  join(environment['XDG_CONFIG_HOME'] || join(home(), '.config'), 'pith', 'aggregator.json')

/** An empty home would make the paths relative to the current folder. */
const home = (): string => homedir() || userInfo().homedir

/** The default state folder. It holds data that cannot be rebuilt: pins, the journal, tokens. */
export function stateFolder(environment: Environment): string {
  const state = environment['XDG_STATE_HOME'] || join(home(), '.local', 'state')
  return join(state, 'pith', 'aggregator-mcp')
}

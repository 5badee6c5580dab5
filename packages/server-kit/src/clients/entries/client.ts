import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '#base/attempt'
import type { Table } from '#base/table'
import type { ConfigFormat } from '../../files/config-text.ts'
import {
  type ConfigLocation,
  filesAt,
  type HostEnvironment,
  type Scope,
} from '../locations/location.ts'
import { type Dialect, noVariables } from './dialect.ts'
import type { EntryContext, Rule } from './rules.ts'

/** What an entry must provide for its server. */
export interface ServerNeeds {
  /** Environment variables that the server uses. */
  variables: readonly string[]
  /** The longest timeout of a call. */
  timeoutSeconds: number
}

/**
 * An MCP client as data: where it stores servers, how it writes an entry, and how one is read:
 * translated to an entry of aggregator-mcp, whose file and names are called “ours”.
 */
export interface Client {
  /** As on the command line. */
  name: string
  /** The name of the client, for messages. */
  title: string
  /** Its former names, also as on the command line. */
  formerNames?: readonly string[]
  /** How the name begins that it gives itself in MCP, if that is neither its name nor its title. */
  infoName?: string
  format: ConfigFormat
  /** All possible locations. Of each inner list only the first existing one is read. */
  locations(host: HostEnvironment): readonly (readonly ConfigLocation[])[]
  /** Other files with settings of servers. They are never written. */
  otherFiles?(host: HostEnvironment): Readonly<Record<string, string>>
  /** Default scope for new servers. */
  scope: Scope
  /**
   * Where servers are added: the first existing file, or the last one. Empty if the client has no
   * files in folders; every client has one of the user.
   */
  target(host: HostEnvironment, scope: Scope): readonly ConfigLocation[]
  /** The entry of a name that starts a program. */
  entry(launch: Launch, name: string): Table
  /** How an entry refers to the folder of the project. */
  folderItself?: string
  /** Further fields of an entry. `existing` is the entry that gets them, or is empty. */
  provide?(needs: ServerNeeds, existing: Table): Table
  /** Whether its servers get the variables of the shell, or those that the entry names. */
  passesVariables: boolean
  dialect: Dialect
  /** The rule for each key of an entry. */
  rules: Readonly<Record<string, Rule>>
  /** Adds the client's defaults, and notes, to a translated entry. */
  complete?(entry: Table, context: EntryContext): Table
  /** The commands that it installs. */
  commands: readonly string[]
  /** What an installation has on the disk. Default: the folder of the file of the user. */
  traces?(host: HostEnvironment): readonly string[]
  /** Folders of skills. */
  skills?: Places
  /** Files of rules. */
  rulesIn?: Places
  /** A file of rules in folders that it reads only where its own does not exist. */
  otherRules?: string
  /** Notes about a whole file. */
  remarks?(root: Table, otherFiles: Readonly<Record<string, unknown>>): readonly string[]
}

/** A place in a project, and one of the user: paths below either. */
type Places = readonly [folder: string | undefined, user?: string]

/** How a client starts a server. */
export interface Launch {
  command: string
  args: readonly string[]
}

/** How the current program was started. */
export interface LaunchOptions {
  /** The file that runs, or a link to it, as in `process.argv[1]`. */
  main: string
  /** The name under which the package is published. */
  packageName: string
  platform?: NodeJS.Platform
  /** The Node that starts `main`. */
  node?: string
}

/**
 * How to start this program again: by npx if npm installed it, since its path may change with the
 * next version or cache; otherwise, in a clone, by the path of its file.
 */
export function launchOf({
  main,
  packageName,
  platform = process.platform,
  node = process.execPath,
}: LaunchOptions): Launch {
  const file = fileOf(main)
  if (!file.split(/[/\\]/).includes('node_modules')) return { command: node, args: [file] }
  const args = ['-y', packageName]
  // npx is a script on Windows, which some clients cannot start directly.
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...args] }
    : { command: 'npx', args }
}

/** npm installs commands as links. */
const fileOf = (main: string): string => attempt(() => realpathSync(main), main)

/** The entry of most clients. */
export const plainEntry = ({ command, args }: Launch): Table => ({ command, args: [...args] })

/** The entry with a transport type. */
export const stdioEntry = (launch: Launch): Table => ({ type: 'stdio', ...plainEntry(launch) })

/** A client whose file has the same path in the home folder and in others. */
export const usualIn = (key: string, ...path: readonly string[]): ReturnType<typeof usual> =>
  usual([key], ({ home }) => [join(home, ...path)], path)

/** What most clients have in common: JSON without variables, at the places of `filesAt`. */
export const usual = (
  ...places: Parameters<typeof filesAt>
): Pick<
  Client,
  'format' | 'locations' | 'scope' | 'target' | 'entry' | 'passesVariables' | 'dialect'
> => ({
  format: 'jsonc',
  ...filesAt(...places),
  scope: 'user',
  entry: plainEntry,
  passesVariables: false,
  dialect: noVariables,
})

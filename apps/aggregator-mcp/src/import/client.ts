import type {
  ClientFiles,
  ClientName,
  Surroundings as FileSurroundings,
  Place,
} from '@pith-mcp/setup'
import type { Table } from '@pith-mcp/setup/files'
import type { Dialect } from './entry/dialect.ts'
import type { Rule } from './entry/rules.ts'

/** What the import looks at and depends on; given, so that it can be run over any tree. */
export interface Surroundings extends FileSurroundings {
  now: () => Date
  /** The file of this program that runs, or a link to it. */
  main: string
}

/** Whatever bears on one entry. */
export interface EntryContext {
  name: string
  place: Place
  around: Surroundings
  /** All that its file says. */
  root: Table
  /** What other files of the client say, by the names the client gives them. */
  beside: Readonly<Record<string, unknown>>
  note(text: string): void
}

/** What our entry has to bring about. */
export interface Needs {
  /** Variables that servers of ours name. */
  variables: readonly string[]
  /** The longest a call may take. */
  timeoutSeconds: number
}

/** A client as data: where its servers stand, and what their entries mean. */
export interface Client extends ClientFiles {
  name: ClientName
  /** Files that are read for what they say of servers, and never written. */
  beside?(around: Surroundings): Readonly<Record<string, string>>
  dialect: Dialect
  rules: Readonly<Record<string, Rule>>
  /** What the entry says by what it does not say. */
  complete?(entry: Table, context: EntryContext): Table
  /** Said of a whole place. */
  remarks?(root: Table, beside: Readonly<Record<string, unknown>>): readonly string[]
  /** What our entry says besides `command` and `args`. */
  own?(needs: Needs, existing: Table): Table
  /** Whether processes of it have the variables of the shell, or those that our entry names. */
  handsOnVariables: boolean
}

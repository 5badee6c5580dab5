import type { ClientFiles, ClientName } from '@pith-mcp/setup'
import type { Table } from '@pith-mcp/setup/files'
import type { Dialect } from './dialect.ts'
import type { EntryContext, Surroundings } from './entry-context.ts'
import type { Rule } from './rules.ts'

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

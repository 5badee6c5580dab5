import type { ClientConfig, ClientName } from '@pith-mcp/server-kit/clients'
import type { Table } from '@pith-mcp/server-kit/files'
import type { Dialect } from './dialect.ts'
import type { EntryContext, HostEnvironment } from './entry-context.ts'
import type { Rule } from './rules.ts'

/** What our entry must provide. */
export interface Needs {
  /** Variables that our servers use. */
  variables: readonly string[]
  /** The longest timeout of a call. */
  timeoutSeconds: number
}

/** A client as data: where it stores servers, and how to translate an entry. */
export interface Client extends ClientConfig {
  name: ClientName
  /** Other files with settings of servers. They are never written. */
  otherFiles?(host: HostEnvironment): Readonly<Record<string, string>>
  dialect: Dialect
  rules: Readonly<Record<string, Rule>>
  /** Adds the client's defaults, and notes, to a translated entry. */
  complete?(entry: Table, context: EntryContext): Table
  /** Notes about a whole file. */
  remarks?(root: Table, otherFiles: Readonly<Record<string, unknown>>): readonly string[]
  /** Fields of our entry in addition to `command` and `args`. */
  own?(needs: Needs, existing: Table): Table
  /** Whether its servers get the variables of the shell, or those that our entry names. */
  passesVariables: boolean
}

import type { Table } from '../../files/table.ts'
import type { Dialect } from './dialect.ts'
import type { EntryContext } from './entry-context.ts'
import type { Rule } from './rules.ts'

/**
 * How the entries of a client are read: translated to entries of aggregator-mcp, whose file and names
 * are called “ours”.
 */
export interface EntryReader {
  /** The name of the client, for messages. */
  title: string
  dialect: Dialect
  /** The rule for each key of an entry. */
  rules: Readonly<Record<string, Rule>>
  /** Adds the client's defaults, and notes, to a translated entry. */
  complete?(entry: Table, context: EntryContext): Table
  /** Notes about a whole file. */
  remarks?(root: Table, otherFiles: Readonly<Record<string, unknown>>): readonly string[]
}

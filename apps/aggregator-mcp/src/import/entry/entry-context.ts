import type { Surroundings as FileSurroundings, Place } from '@pith-mcp/setup'
import type { Table } from '@pith-mcp/setup/files'

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

/** What the import looks at and depends on; given, so that it can be run over any tree. */
export interface Surroundings extends FileSurroundings {
  now: () => Date
  /** The file of this program that runs, or a link to it. */
  main: string
}

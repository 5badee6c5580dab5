import type { Table } from '../../files/table.ts'
import type { ConfigLocation, HostEnvironment } from '../locations/location.ts'

/** The context of one entry. */
export interface EntryContext {
  name: string
  location: ConfigLocation
  host: HostEnvironment
  /** The content of its file. */
  root: Table
  /** The content of `ConfigFiles.otherFiles`, by the same names. */
  otherFiles: Readonly<Record<string, unknown>>
  note(text: string): void
}

/** An entry cannot be translated; `message` gives the reason, without secrets. */
export class EntryRefused extends Error {
  override readonly name = 'EntryRefused'
}

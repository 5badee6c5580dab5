import type {
  HostEnvironment as BaseEnvironment,
  ConfigLocation,
} from '@pith-mcp/server-kit/clients'
import type { Table } from '@pith-mcp/server-kit/files'

/** The context of one entry. */
export interface EntryContext {
  name: string
  location: ConfigLocation
  host: HostEnvironment
  /** The content of its file. */
  root: Table
  /** The content of `Client.otherFiles`, by the same names. */
  otherFiles: Readonly<Record<string, unknown>>
  note(text: string): void
}

/** Everything that an import reads from its environment, so that tests can run it on any tree. */
export interface HostEnvironment extends BaseEnvironment {
  now: () => Date
  /** The path of the running program, or a link to it. */
  main: string
}

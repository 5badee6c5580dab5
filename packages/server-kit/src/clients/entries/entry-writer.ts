import type { Table } from '../../files/table.ts'
import type { Launch } from './launch.ts'

/** What an entry must provide for its server. */
export interface ServerNeeds {
  /** Environment variables that the server uses. */
  variables: readonly string[]
  /** The longest timeout of a call. */
  timeoutSeconds: number
}

/** How an entry of a client is written. */
export interface EntryWriter {
  /** The entry that starts a program. */
  entry(launch: Launch): Table
  /** How an entry refers to the folder of the project. */
  folderItself?: string
  /** Further fields of an entry. `existing` is the entry that gets them, or is empty. */
  provide?(needs: ServerNeeds, existing: Table): Table
  /** Whether its servers get the variables of the shell, or those that the entry names. */
  passesVariables: boolean
}

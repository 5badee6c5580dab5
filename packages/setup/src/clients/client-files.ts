import type { Table } from '../files/table.ts'
import type { Launch } from '../launch.ts'

/** What the places of files depend on; given, so that any tree can be looked at. */
export interface Surroundings {
  home: string
  /** The folder whose own files are meant. */
  cwd: string
  platform: NodeJS.Platform
  variables: Readonly<Record<string, string | undefined>>
}

/** Where servers of a client stand. */
export interface Place {
  /** Absolute; `*` in it stands for any part of one name. */
  file: string
  /** The way to the object with the servers. */
  at: readonly string[]
  /** What it is a file of, where a client has several. */
  product?: string
  /** Its servers are there in this folder only. */
  folder?: string
}

/** `folder`: for the folder we are in; `user`: for all folders of the user. */
export type Scope = 'folder' | 'user'

/** Where a client keeps its servers, and how it writes them. */
export interface ClientFiles {
  title: string
  format: 'jsonc' | 'toml'
  /** Every place that may hold servers. Of those in one list only the first that is there counts. */
  places(around: Surroundings): readonly (readonly Place[])[]
  /** Where servers are entered unless something else is asked for. */
  scope: Scope
  /** Where servers are entered: in the first file that is there, else in the last. Empty: nowhere. */
  target(around: Surroundings, scope: Scope): readonly Place[]
  /** How an entry for this folder names the folder itself, wherever it is. */
  folderItself?: string
  /** The entry that has it start a program. */
  entry(launch: Launch): Table
}

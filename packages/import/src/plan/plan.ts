import type { ServerNeeds } from '@pith-mcp/server-kit/clients'
import type { Table } from '@pith-mcp/server-kit/files'
import type { FoundConfig, UnreadableConfig } from '../find/find-config-files.ts'

/** A server that is moved or copied. */
export interface PlannedServer {
  /** Its name in the client. */
  from: string
  /** Its name in our file. */
  name: string
  entry: Table
  notes: readonly string[]
  /** `new`: added to our file; `existing`: already in it; `same`: added from another place. */
  status: 'new' | 'existing' | 'same'
}

/** The servers of a client's file. */
export interface PlannedConfig {
  file: FoundConfig
  servers: PlannedServer[]
  /** Those that are not moved. */
  staying: { name: string; reason: string }[]
  remarks: string[]
  /** Belongs to a folder, and --project was not used. */
  isWaiting: boolean
  /** All entries, by their names in the client. */
  members: Table
  /** An entry for this program that is there. */
  existing?: { name: string; entry: Table }
  /** Our entry; undefined if a user-wide entry suffices, or nothing changes. */
  ourEntry?: { name: string; change: 'added' | 'changed' | 'unchanged' }
}

/** A value of a new server that is in clear in the client. */
export interface PlannedSecret {
  /** `SERVER.env.NAME`, `SERVER.headers.NAME`, `SERVER.args.N` or `SERVER.url`. */
  name: string
  kind: string
  key: string
  value: string
}

/** The change of a file. */
export interface Edit {
  path: string
  before: string | undefined
  after: string
}

export interface Plan {
  locations: PlannedConfig[]
  /** Files that are not changed because of an error. */
  refused: UnreadableConfig[]
  /** The path of our own file. */
  config: string
  needs: ServerNeeds
  /** Stored if the options say so; otherwise written in clear. */
  secrets: PlannedSecret[]
  /** What a person must accept. */
  risks: string[]
  /** Where secrets are stored. */
  where: string
  /** Our own file first. Empty if there is nothing to do. */
  edits: Edit[]
}

export interface PlanOptions {
  /** The name of our entry. */
  name: string
  /** Do not change clients. */
  copy: boolean
  /** Include files of the current folder. */
  project: boolean
  /** Store values that are in clear in the keychain. */
  keychain?: boolean
}

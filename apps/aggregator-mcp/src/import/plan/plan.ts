import type { Table } from '@pith-mcp/setup/files'
import type { Needs } from '../entry/client.ts'
import type { FoundPlace, UnreadablePlace } from '../find/find-places.ts'

/** One server and what becomes of it. */
export interface PlannedServer {
  /** Its name in the client. */
  from: string
  /** Its name in our file. */
  name: string
  entry: Table
  notes: readonly string[]
  /** `new` comes into our file; `there` was in it; `same` comes from another place too. */
  fate: 'new' | 'there' | 'same'
}

/** One that stays where it is. */
export interface LeftServer {
  name: string
  why: string
}

export interface PlannedPlace {
  found: FoundPlace
  servers: PlannedServer[]
  left: LeftServer[]
  remarks: string[]
  /** Of a folder, and nobody asked for those. */
  isWaiting: boolean
  /** Our entry there; undefined where another of the client is enough, or nothing changes. */
  own?: { name: string; change: 'added' | 'changed' | 'kept' }
}

/** A file that becomes another. */
export interface Edit {
  path: string
  before: string | undefined
  after: string
}

export interface Plan {
  places: PlannedPlace[]
  /** Files that are left alone altogether. */
  refused: UnreadablePlace[]
  /** Of our own file. */
  config: string
  needs: Needs
  /** Our own file first. Empty when there is nothing to do. */
  edits: Edit[]
}

export interface PlanOptions {
  /** Of our entry. */
  name: string
  /** Leave clients alone. */
  copy: boolean
  /** Move what belongs to the current folder too. */
  project: boolean
}

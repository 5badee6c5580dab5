import type { Dialect } from './entry/dialect.ts'
import type { Rule } from './entry/rules.ts'

/** What the import looks at and depends on; given, so that it can be run over any tree. */
export interface Surroundings {
  home: string
  /** The folder whose own files are looked for. */
  cwd: string
  platform: NodeJS.Platform
  variables: Readonly<Record<string, string | undefined>>
  now: () => Date
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

export type Table = Record<string, unknown>

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

/** What our entry has to bring about. */
export interface Needs {
  /** Variables that servers of ours name. */
  variables: readonly string[]
  /** The longest a call may take. */
  timeoutSeconds: number
}

/** A client as data: where its servers stand, and what their entries mean. */
export interface Client {
  name: string
  title: string
  format: 'jsonc' | 'toml'
  /** Of the places in one list only the first that is there counts. */
  places(around: Surroundings): readonly (readonly Place[])[]
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

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What stands at the end of a way, if anything does. */
export const valueAt = (root: unknown, way: readonly string[]): unknown =>
  way.reduce<unknown>(
    (at, key) => (isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    root,
  )

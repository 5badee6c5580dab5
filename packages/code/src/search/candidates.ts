import type { IndexedSymbols } from '../parse/symbol-table.ts'
import type { Account } from './account.ts'
import type { Words } from './query-words.ts'

/** Files in which words of a query occur; whether they are in names of symbols is not known. */
export interface Candidates {
  /** Index of the reading whose words occur; -1 if none does, and `files` are all files. */
  reading: number
  /** With the highest possible score first, by `maxInLine`. */
  files: readonly { real: string; most: number }[]
  account: Account
}

/** Files that a query describes. */
export interface Described {
  /** Real paths, best first. */
  files: readonly string[]
  /** What each term of the query counts. */
  weights: ReadonlyMap<string, number>
  /** Number of files that are not indexed. */
  pending: number
  account: Account
}

/** Files that have a text. */
export interface FilesWithText {
  /** Real paths. */
  files: readonly string[]
  account: Account
}

/** Which files are searched, and for how long. */
export interface Scope {
  /** The real path of a file or folder. */
  within?: string | undefined
  glob?: string | undefined
  maxFiles?: number | undefined
  waitMs: number
}

/** Finds files by the words in them: by an index as far as there is one, else by reading them. */
export interface CandidateSource {
  /** The files for the first reading that some file has. @throws {CodeError} for the glob. */
  candidates(
    readings: readonly Words[],
    scope: Scope,
    signal?: AbortSignal | undefined,
  ): Promise<Candidates>
  /** The files that words describe, as far as they are indexed; undefined if no file is. */
  describe(query: string, scope: Scope, signal?: AbortSignal): Promise<Described | undefined>
  /** Files with a text as it is. */
  texts(text: string, scope: Scope, signal?: AbortSignal): Promise<FilesWithText>
  /** The symbols of a file by its real path, if they are indexed. */
  symbolsOf(real: string): Promise<IndexedSymbols | undefined>
}

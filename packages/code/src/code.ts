import type { Chunk, ChunkOptions } from './chunk/chunk.ts'
import type { Outline } from './outline/outline.ts'
import type { SearchOptions, SearchResult } from './search/symbol-search.ts'

/** Files that match a pattern, best first. */
export interface FoundFiles {
  files: readonly string[]
  total: number
  /** True if there are too many files to search all of them. */
  isCut: boolean
  /** Folders that could not be read. */
  unreadable: number
}

/**
 * Source files of some folders, and the symbols in them. Paths are relative to the first folder, or
 * absolute. A changed file is read again before it is used.
 */
export interface Code {
  /** The symbols of a file, or those that match a query. @throws {CodeError} */
  outline(path: string, query?: string): Promise<Outline>
  /**
   * A page of a function or another symbol of a file, by its name path (`Class/method`, `name[1]`),
   * signature or a line in it.
   *
   * @throws {CodeError} `symbol_not_found` with the nearest names, `no_symbols` if the file was not
   * parsed, `ambiguous` with the candidates, `content_changed`, `bad_argument`, and the errors of
   * reading a file.
   */
  functionChunk(path: string, name: string, options?: ChunkOptions): Promise<Chunk>
  /**
   * A page of what an id names: `path#name path`, or a path alone for the whole file, optionally
   * followed by `@` and a page token.
   *
   * @throws {CodeError}
   */
  chunk(id: string, options?: ChunkOptions): Promise<Chunk>
  /** Symbols of all files. @throws {CodeError} */
  findFunctions(query: string, options?: SearchOptions): Promise<SearchResult>
  /** Files by a glob or a part of their name. @throws {CodeError} */
  findFiles(pattern: string, maxResults?: number): Promise<FoundFiles>
  close(): Promise<void>
}

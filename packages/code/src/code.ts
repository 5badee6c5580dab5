import type { Chunk, ChunkOptions } from './chunk/chunk.ts'
import type { Outline } from './outline/outline.ts'
import type { SearchOptions, SearchResult } from './search/symbol-search.ts'

/** Files that a pattern means, best first. */
export interface FoundFiles {
  files: readonly string[]
  total: number
  /** Not all files of the folders were looked at, since there are too many. */
  isCut: boolean
  /** Folders that could not be read. */
  unreadable: number
}

/**
 * Source files of some folders, and the symbols in them. Paths are relative to the first folder, or
 * absolute. Nothing is answered from a file as it was: what has changed is read again.
 */
export interface Code {
  /** The symbols of a file, or those that a query means. @throws {CodeError} */
  outline(path: string, query?: string): Promise<Outline>
  /**
   * A page of a function or another symbol of a file, by its name path (`Class/method`, `name[1]`),
   * signature or a line in it.
   *
   * @throws {CodeError} `symbol_not_found` with the nearest names, `no_symbols` where the file was not
   * parsed, `ambiguous` with the candidates, `content_changed`, `bad_argument`, and what reading the
   * file can be refused for.
   */
  functionChunk(path: string, name: string, options?: ChunkOptions): Promise<Chunk>
  /**
   * A page of what an id names: `path#name path`, a path alone for the whole file, with `@` and a
   * page token behind it or without. @throws {CodeError}
   */
  chunk(id: string, options?: ChunkOptions): Promise<Chunk>
  /** Symbols of all files. @throws {CodeError} */
  findFunctions(query: string, options?: SearchOptions): Promise<SearchResult>
  /** Files by a glob or a part of their name. @throws {CodeError} */
  findFiles(pattern: string, maxResults?: number): Promise<FoundFiles>
  close(): Promise<void>
}

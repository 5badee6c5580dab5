import { removeFile } from '#base/sqlite-files'
import { within } from '#base/within'
import { openRoots } from './access/roots.ts'
import type { Chunk, ChunkOptions } from './chunk/chunk.ts'
import { bodiesOf } from './chunk/clear-bodies.ts'
import { chunkOf, functionChunk, pageOf } from './chunk/function-chunk.ts'
import type { PageDefaults } from './chunk/read-chunk.ts'
import { CodeError, checkLength, maxNameLength, maxPathLength } from './code-error.ts'
import { type Outline, outlineOf } from './outline/outline.ts'
import { createSourceFiles, declarationsOf } from './outline/source-files.ts'
import type { DeclaredModule } from './parse/declarations.ts'
import { createParser } from './parse/parse-pool.ts'
import { type ReferenceOptions, type References, referencesTo } from './references/references.ts'
import type { Account } from './search/account.ts'
import { createSearchThread } from './search/search-thread.ts'
import {
  placeOf,
  type SearchOptions,
  type SearchResult,
  SymbolSearch,
} from './search/symbol-search.ts'
import { createIndexBuilder, type OnIndexed } from './symbol-index/index-builder.ts'
import { databaseIn, sizeOf } from './symbol-index/index-location.ts'
import { defaultPageTokens, readPageSize } from './text/page-size.ts'

/** Files that match a pattern, best first. */
export interface FoundFiles extends Account {
  files: readonly string[]
  total: number
}

/** Found symbols, and the texts of the first ones if they are meant without doubt, or short. */
export interface FoundSymbols extends SearchResult {
  bodies: readonly Chunk[]
}

/**
 * Source files of some folders, and the symbols in them. Paths are relative to the first folder, or
 * absolute. A changed file is read again before it is used.
 */
export interface Code {
  /** The symbols of a file, or those that match a query. @throws {CodeError} */
  outline(path: string, query?: string): Promise<Outline>
  /** What a file of TypeScript or Python declares. @throws {CodeError} `no_symbols` for other files. */
  declarations(path: string): Promise<DeclaredModule>
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
  /** The page of a token that works alone (`standalone`). @throws {CodeError} */
  page(token: string, options?: Omit<ChunkOptions, 'pageToken'>): Promise<Chunk>
  /** Symbols of all files, and the text of one that is meant without doubt. @throws {CodeError} */
  findFunctions(query: string, options?: SearchOptions): Promise<FoundSymbols>
  /**
   * What uses a name: of a function, type, constant, field or method, as a name path or id. A page
   * of the files that have it.
   *
   * @throws {CodeError}
   */
  references(
    name: string,
    options?: ReferenceOptions & { path?: string | undefined },
  ): Promise<References>
  /** Files by a glob or a part of their name. @throws {CodeError} */
  findFiles(pattern: string, maxResults?: number): Promise<FoundFiles>
  /**
   * Fill the index, and wait until it is whole. Resolves to its size in bytes; undefined without a
   * `cacheFolder` or SQLite.
   */
  index(onIndexed?: OnIndexed): Promise<number | undefined>
  /** Resolves to the bytes that are removed, 0 if there is no index. */
  removeIndex(): Promise<number>
  close(): Promise<void>
}

/** Roots, page size and bounds; all but `roots` have defaults. */
export interface CodeOptions {
  /** Folders that may be read; paths and links that lead outside are rejected. */
  roots: readonly string[]
  /** Default size of a page: tokens, or `"300 lines"`, `"10 KB"`. Default 4,000. */
  pageSize?: number | string
  /** A symbol of at most this size is one page, up to 20,000 tokens: `"500 lines, 10 KB"`. */
  pagingThreshold?: string | undefined
  /** Larger files are read as lines, without symbols. Default 16 MB. */
  maxParseBytes?: number
  /** Larger files are not read. Default 32 MB. */
  maxFileBytes?: number
  /** Time limit of parsing one file, of processor time. Default 20 s. */
  parseTimeoutMs?: number
  /** Time limit of a search, which then returns partial results. Default 20 s. */
  searchWaitMs?: number
  /** At most this many files are searched; `path` selects others. Default 100,000. */
  maxFiles?: number
  /** Size of cached texts and their syntax. Default 96 MB. */
  maxCacheBytes?: number
  /**
   * Folder of the index of symbols, which SQLite keeps. Without it, or without SQLite, each search
   * reads the files.
   */
  cacheFolder?: string | undefined
  /** False reads the index without filling it in the background. Default true. */
  fillsIndex?: boolean | undefined
}

/**
 * Open folders of source code.
 *
 * @throws {CodeError} `not_found` for a root that is not a folder, `bad_argument` for an invalid
 * page size.
 */
export async function createCode(options: CodeOptions): Promise<Code> {
  const {
    maxParseBytes = 16_000_000,
    maxFileBytes = 32_000_000,
    parseTimeoutMs = 20_000,
    searchWaitMs = 20_000,
    maxCacheBytes = 96_000_000,
  } = options
  const defaults = readDefaults(options)
  const roots = await openRoots(options.roots)
  const parser = createParser({ timeoutMs: parseTimeoutMs })
  const files = createSourceFiles(roots, parser, { maxFileBytes, maxParseBytes, maxCacheBytes })
  const database = await databaseIn(options.cacheFolder, roots.folders)
  const thread = createSearchThread({ folders: roots.folders, maxFileBytes, database })
  const builder =
    database === undefined || options.fillsIndex === false
      ? undefined
      : createIndexBuilder({ database, maxFileBytes, maxParseBytes, parseTimeoutMs }, (first) =>
          thread.nextBatch(options.maxFiles, first),
        )
  void builder?.fill('reuse')
  const search = new SymbolSearch(roots, files, thread, {
    waitMs: searchWaitMs,
    maxFiles: options.maxFiles,
  })
  const chunks = { files, defaults }

  return {
    functionChunk: (path, name, chunkOptions) => functionChunk(chunks, path, name, chunkOptions),
    chunk: (id, chunkOptions) => chunkOf(chunks, id, chunkOptions),
    page: (token, chunkOptions) => pageOf(chunks, token, chunkOptions),
    async outline(path, query = '') {
      checkLength('The path', path, maxPathLength)
      checkLength('The query', query, maxNameLength)
      return outlineOf(await files.get(path), query)
    },
    declarations: (path) => declarationsOf(roots, parser, maxParseBytes, path),
    async findFunctions(query, searchOptions) {
      checkLength('The query', query, maxNameLength)
      checkLength('The path', searchOptions?.path ?? '', maxPathLength)
      if (query.trim() === '')
        throw new CodeError(
          'bad_argument',
          'The query is empty.',
          'Pass a name, or words of a name.',
        )
      // Words are compared with what is indexed.
      if (/\s/.test(query.trim()) && builder)
        await within(maxIndexMs, builder.fill('reuse'), 'The index is not whole.').catch(() => {})
      const result = await search.find(query, searchOptions)
      void builder?.fill('reuse')
      return { ...result, bodies: await bodiesOf(result, (id) => chunkOf(chunks, id)) }
    },
    async references(name, { path, ...referenceOptions } = {}) {
      checkLength('The name', name, maxNameLength)
      checkLength('The path', path ?? '', maxPathLength)
      const { maxFiles } = options
      const scope = { ...(await placeOf(roots, path)), maxFiles, waitMs: searchWaitMs }
      return referencesTo({ roots, files, thread }, name, scope, referenceOptions)
    },
    async findFiles(pattern, maxResults = 50) {
      const { names, account } = await thread.files(pattern, options.maxFiles)
      return { ...account, files: names.slice(0, maxResults), total: names.length }
    },
    async index(onIndexed) {
      await builder?.fill('list', onIndexed)
      return (await sizeOf(database)) || undefined
    },
    async removeIndex() {
      const bytes = await sizeOf(database)
      if (database !== undefined) await removeFile(database)
      return bytes
    },
    async close() {
      // It asks the thread for files.
      await builder?.close()
      await Promise.all([parser.close(), thread.close()])
    },
  }
}

/** Milliseconds that a description waits for the index. */
const maxIndexMs = 5_000
/** @throws {CodeError} `bad_argument` for an invalid page size. */
function readDefaults({
  pageSize = defaultPageTokens,
  pagingThreshold,
}: Pick<CodeOptions, 'pageSize' | 'pagingThreshold'>): PageDefaults {
  return {
    size: readPageSize(pageSize),
    pagingThreshold: pagingThreshold === undefined ? undefined : readPageSize(pagingThreshold),
  }
}

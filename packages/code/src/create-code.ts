import { openRoots } from './access/roots.ts'
import type { ChunkOptions } from './chunk/chunk.ts'
import { readChunk } from './chunk/read-chunk.ts'
import { readId } from './chunk/read-id.ts'
import type { Code } from './code.ts'
import { CodeError } from './code-error.ts'
import { findSymbol } from './outline/find-symbol.ts'
import { ambiguous, noSuchSymbol } from './outline/name-errors.ts'
import { outlineOf } from './outline/outline.ts'
import { createSourceFiles } from './outline/source-files.ts'
import { createParser } from './parse/parse-pool.ts'
import { findFilesIn, maxPatternLength } from './search/find-files.ts'
import { createSymbolSearch } from './search/symbol-search.ts'
import { defaultPageTokens, readPageSize } from './text/page-size.ts'

/** Roots, page size and bounds; all but `roots` have defaults. */
export interface CodeOptions {
  /** Folders that may be read; paths and links that lead outside are rejected. */
  roots: readonly string[]
  /** Default size of a page: tokens, or `"300 lines"`, `"10 KB"`. Default 4,000. */
  pageSize?: number | string
  /**
   * A symbol with at most this many lines and bytes is one page, up to 20,000 tokens. Default none.
   */
  pagingThreshold?: { lines?: number; bytes?: number }
  /** Larger files are read as lines, without symbols. Default 16 MB. */
  maxParseBytes?: number
  /** Larger files are not read. Default 32 MB. */
  maxFileBytes?: number
  /** Time limit of parsing one file. Default 20 s. */
  parseTimeoutMs?: number
  /** Time limit of a search, which then returns partial results. Default 20 s. */
  searchWaitMs?: number
  /** At most this many files are searched; `path` selects others. Default 50,000. */
  maxFiles?: number
  /** Size of cached texts and their syntax. Default 96 MB. */
  maxCacheBytes?: number
}

/**
 * Open folders of source code.
 *
 * @throws {CodeError} `not_found` for a root that is not a folder, `bad_argument` for an invalid
 * page size.
 */
export async function createCode(options: CodeOptions): Promise<Code> {
  const {
    pageSize = defaultPageTokens,
    pagingThreshold,
    maxParseBytes = 16_000_000,
    maxFileBytes = 32_000_000,
    parseTimeoutMs = 20_000,
    searchWaitMs = 20_000,
    maxCacheBytes = 96_000_000,
  } = options
  const defaults = {
    size: readPageSize(pageSize),
    pagingThreshold: pagingThreshold
      ? {
          lines: pagingThreshold.lines ?? Number.POSITIVE_INFINITY,
          bytes: pagingThreshold.bytes ?? Number.POSITIVE_INFINITY,
        }
      : { lines: 0, bytes: 0 },
  }
  const roots = await openRoots(options.roots)
  const parser = createParser({ timeoutMs: parseTimeoutMs })
  const files = createSourceFiles(roots, parser, { maxFileBytes, maxParseBytes, maxCacheBytes })
  const search = createSymbolSearch(roots, files, {
    maxFileBytes: maxParseBytes,
    waitMs: searchWaitMs,
    maxFiles: options.maxFiles,
  })

  async function functionChunk(path: string, given: string, chunkOptions: ChunkOptions = {}) {
    checkLength('The path', path, maxPathLength)
    checkLength('The name', given, maxNameLength)
    const file = await files.get(path)
    // Accepts a whole id as the name.
    const name = given.startsWith(`${file.path}#`) ? given.slice(file.path.length + 1) : given
    const { symbol, candidates } = findSymbol(name, file.symbols, file.text)
    if (!symbol)
      throw candidates.length > 0 ? ambiguous(name, candidates, file) : noSuchSymbol(name, file)
    const others = file.symbols.filter(
      (other) => other !== symbol && other.name === symbol.name && !name.includes('/'),
    )
    return {
      ...readChunk(file, symbol, chunkOptions, defaults),
      ...(others.length > 0 && { others: others.map((other) => other.path) }),
    }
  }

  return {
    functionChunk,
    async outline(path, query = '') {
      checkLength('The path', path, maxPathLength)
      checkLength('The query', query, maxNameLength)
      return outlineOf(await files.get(path), query)
    },
    async chunk(id, chunkOptions = {}) {
      checkLength('The id', id, maxPathLength + maxNameLength)
      const { path, name, pageToken } = await readId(id, files)
      const given = { ...(pageToken !== undefined && { pageToken }), ...chunkOptions }
      if (name !== undefined) return functionChunk(path, name, given)
      return readChunk(await files.get(path), undefined, given, defaults)
    },
    async findFunctions(query, searchOptions) {
      checkLength('The query', query, maxNameLength)
      checkLength('The path', searchOptions?.path ?? '', maxPathLength)
      if (query.trim() === '')
        throw new CodeError(
          'bad_argument',
          'The query is empty.',
          'Pass a name, or words of a name.',
        )
      return search.find(query, searchOptions)
    },
    async findFiles(pattern, maxResults = 50) {
      if (pattern.trim() === '' || pattern.length > maxPatternLength)
        throw new CodeError(
          'bad_argument',
          pattern.trim() === ''
            ? 'The pattern is empty.'
            : `The pattern has ${pattern.length} characters.`,
          `Pass a glob or a part of a name, of 1 to ${maxPatternLength} characters.`,
        )
      const { maxFiles } = options
      const { listing, found } = await findFilesIn(roots, pattern, maxFiles)
      const { isCut, unreadable } = listing
      return { files: found.slice(0, maxResults), total: found.length, isCut, unreadable }
    },
    close: () => parser.close(),
  }
}

const maxPathLength = 4_096
const maxNameLength = 1_000

/** Longer values are not meaningful, and matching them may take more than linear time. */
function checkLength(what: string, text: string, maxLength: number): void {
  if (text.length > maxLength)
    throw new CodeError(
      'bad_argument',
      `${what} has ${text.length} characters; the limit is ${maxLength}.`,
      'Pass a shorter value.',
    )
}

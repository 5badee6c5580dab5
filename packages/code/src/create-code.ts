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
import { createParser } from './parse/parse-apart.ts'
import { findFilesIn, longestPattern } from './search/find-files.ts'
import { createSymbolSearch } from './search/symbol-search.ts'
import { defaultPageTokens, readPageSize } from './text/page-size.ts'

export interface CodeOptions {
  /** Folders that may be read; nothing outside of them is, by links neither. */
  roots: readonly string[]
  /** Of a page, where a call does not say: tokens, or `"300 lines"`, `"10 KB"`. Default 4,000. */
  pageSize?: number | string
  /** What has at most so many lines and bytes is given whole, up to 20,000 tokens. Default none. */
  wholeUpTo?: { lines?: number; bytes?: number }
  /** Larger files are read as lines, without symbols. Default 16 MB. */
  maxParseBytes?: number
  /** Larger files are not read. Default 32 MB. */
  maxFileBytes?: number
  /** Of parsing one file. Default 20 s. */
  parseTimeoutMs?: number
  /** After this a search answers with what it has. Default 20 s. */
  searchWaitMs?: number
  /** Files that one search looks at; `path` leads to others. Default 50,000. */
  maxFiles?: number
  /** Of texts and their syntax that are kept. Default 96 MB. */
  maxKeptBytes?: number
}

/** @throws {CodeError} `not_found` for a root that is no folder, `bad_argument` for a page size. */
export async function createCode(options: CodeOptions): Promise<Code> {
  const {
    pageSize = defaultPageTokens,
    wholeUpTo,
    maxParseBytes = 16_000_000,
    maxFileBytes = 32_000_000,
    parseTimeoutMs = 20_000,
    searchWaitMs = 20_000,
    maxKeptBytes = 96_000_000,
  } = options
  const defaults = {
    size: readPageSize(pageSize),
    wholeUpTo: wholeUpTo
      ? {
          lines: wholeUpTo.lines ?? Number.POSITIVE_INFINITY,
          bytes: wholeUpTo.bytes ?? Number.POSITIVE_INFINITY,
        }
      : { lines: 0, bytes: 0 },
  }
  const roots = await openRoots(options.roots)
  const parser = createParser({ timeoutMs: parseTimeoutMs })
  const files = createSourceFiles(roots, parser, { maxFileBytes, maxParseBytes, maxKeptBytes })
  const search = createSymbolSearch(roots, files, {
    maxFileBytes: maxParseBytes,
    waitMs: searchWaitMs,
    maxFiles: options.maxFiles,
  })

  async function functionChunk(path: string, given: string, chunkOptions: ChunkOptions = {}) {
    checkLength('The path', path, longestPath)
    checkLength('The name', given, longestName)
    const file = await files.get(path)
    // A whole id may stand for the name.
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
      checkLength('The path', path, longestPath)
      checkLength('The query', query, longestName)
      return outlineOf(await files.get(path), query)
    },
    async chunk(id, chunkOptions = {}) {
      checkLength('The id', id, longestPath + longestName)
      const { path, name, pageToken } = await readId(id, files)
      const given = { ...(pageToken !== undefined && { pageToken }), ...chunkOptions }
      if (name !== undefined) return functionChunk(path, name, given)
      return readChunk(await files.get(path), undefined, given, defaults)
    },
    async findFunctions(query, searchOptions) {
      checkLength('The query', query, longestName)
      checkLength('path', searchOptions?.path ?? '', longestPath)
      if (query.trim() === '')
        throw new CodeError('bad_argument', 'The query is empty.', 'Pass a name or words of one.')
      return search.find(query, searchOptions)
    },
    async findFiles(pattern, maxResults = 50) {
      if (pattern.trim() === '' || pattern.length > longestPattern)
        throw new CodeError(
          'bad_argument',
          `The pattern has ${pattern.length} characters.`,
          `Pass 1 to ${longestPattern}: a glob, or a part of a name.`,
        )
      const { maxFiles } = options
      const { listing, found } = await findFilesIn(roots, pattern, maxFiles)
      const { isCut, unreadable } = listing
      return { files: found.slice(0, maxResults), total: found.length, isCut, unreadable }
    },
    close: () => parser.close(),
  }
}

const longestPath = 4_096
const longestName = 1_000

/** Nobody means a longer one, and what is done with it may take longer than it is long. */
function checkLength(what: string, text: string, most: number): void {
  if (text.length > most)
    throw new CodeError(
      'bad_argument',
      `${what} has ${text.length} characters; at most ${most} are read.`,
      'Pass a shorter one.',
    )
}

import { stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { readText, stampOf } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
import { languageOfName } from '../languages/all-languages.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import { globMatcher, isGlob } from './glob.ts'
import { type Listing, listFiles } from './list-files.ts'
import { anyWords, maxInLine, readingsOf, type Words } from './query-words.ts'
import { hitOf, isNamed, rankHits, type SymbolHit, wordsIn, worthOf } from './symbol-hit.ts'

/** Where to search for symbols, and how many results to return. */
export interface SearchOptions {
  /** Limits the search to a file, a folder or a glob. */
  path?: string | undefined
  maxResults?: number | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}

/** Found symbols, and what the search left out. */
export interface SearchResult {
  /** Best first. */
  hits: readonly SymbolHit[]
  /** Number of symbols with words of the query. */
  total: number
  /**
   * Files with words of the query that were not read in time. The next search continues with them.
   */
  unread: number
  /** True if there are too many files to search all of them. */
  isCut: boolean
  /** Folders that could not be read. */
  unreadable: number
}

interface Limits {
  maxFileBytes: number
  waitMs: number
  maxFiles?: number | undefined
}

/** Maximum number of cached symbols over all files. */
const maxCached = 400_000

/** Searches for symbols whose names or signatures contain words of a query. */
export class SymbolSearch {
  readonly #roots: Roots
  readonly #files: SourceFiles
  readonly #limits: Limits
  readonly #cache = new LRUCache<string, { stamp: string; hits: readonly SymbolHit[] }>({
    maxSize: maxCached,
    sizeCalculation: ({ hits }) => hits.length + 1,
  })

  constructor(roots: Roots, files: SourceFiles, limits: Limits) {
    this.#roots = roots
    this.#files = files
    this.#limits = limits
  }

  async find(
    query: string,
    { path, maxResults = 20, signal, onProgress }: SearchOptions = {},
  ): Promise<SearchResult> {
    const { waitMs, maxFiles } = this.#limits
    const until = performance.now() + waitMs
    const isOver = (): boolean => performance.now() > until
    const listing = await listSources(this.#roots, path, maxFiles, signal)
    const sifted = await this.#sift(listing.files, query, isOver, signal)
    const { known, candidates, unseen } = sifted
    const collected = collectHits(query, sifted.words)
    for (const hits of known) collected.add(hits)
    let done = 0
    let isEnough = false
    for (const { real, words } of candidates) {
      signal?.throwIfAborted()
      isEnough = collected.cannotImprove(words, maxResults)
      if (isEnough || isOver()) break
      collected.add(await this.#read(real))
      done++
      onProgress?.(done, candidates.length)
    }
    return {
      hits: rankHits(collected.hits, query).slice(0, maxResults),
      total: collected.hits.length,
      unread: isEnough ? 0 : candidates.length - done + unseen,
      isCut: listing.isCut,
      unreadable: listing.unreadable,
    }
  }

  /** Split files into cached ones and those that contain words of the query. */
  async #sift(
    among: readonly string[],
    query: string,
    isOver: () => boolean,
    signal: AbortSignal | undefined,
  ) {
    const { known, others } = await this.#splitCached(among)
    for (const words of readingsOf(query)) {
      /** With the highest score of a line, by `maxInLine`. */
      const found: { real: string; words: number }[] = []
      let unseen = 0
      for (const real of others) {
        signal?.throwIfAborted()
        if (isOver()) {
          unseen++
          continue
        }
        const read = await readText(real, real, this.#limits.maxFileBytes).catch(() => undefined)
        const most = read ? maxInLine(read.text, words) : 0
        if (most > 0) found.push({ real, words: most })
      }
      found.sort((one, other) => other.words - one.words)
      const isKnown = known.some((own) => own.some((hit) => wordsIn(hit, words) > 0))
      if (found.length > 0 || isKnown || unseen > 0)
        return { words, known, candidates: found, unseen }
    }
    // If no file contains the name, all files are candidates.
    const candidates = others.map((real) => ({ real, words: 0 }))
    return { words: anyWords, known, candidates, unseen: 0 }
  }

  /** The symbols of cached, unchanged files, and the other files. */
  async #splitCached(among: readonly string[]) {
    const known: (readonly SymbolHit[])[] = []
    const others: string[] = []
    for (const real of among) {
      const own = this.#cache.get(real)
      if (own && own.stamp === (await stampOf(real).catch(() => undefined))?.stamp)
        known.push(own.hits)
      else others.push(real)
    }
    return { known, others }
  }

  async #read(real: string): Promise<readonly SymbolHit[]> {
    const before = await stampOf(real).catch(() => undefined)
    const file = await this.#files.get(real).catch((error: unknown) => {
      if (error instanceof CodeError) return undefined
      throw error
    })
    const hits = file ? file.symbols.map((symbol) => hitOf(file, symbol)) : []
    if (before && !before.isFresh) this.#cache.set(real, { stamp: before.stamp, hits })
    return hits
  }
}

/** Source files of all folders, or of `path` only: a file, a folder or a glob. */
async function listSources(
  roots: Roots,
  path: string | undefined,
  maxFiles: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const limits = { maxFiles, signal }
  const isSource = (file: string): boolean => languageOfName(file) !== undefined
  if (path === undefined || path === '' || path === '.')
    return listFiles(roots, { ...limits, accept: isSource })
  const real = await roots.resolve(path).catch((error: unknown) => {
    if (isGlob(path)) return undefined
    throw error
  })
  if (real === undefined) {
    const matches = globMatcher(path)
    const accept = (file: string) => isSource(file) && matches(roots.nameOf(file))
    return listFiles(roots, { ...limits, accept })
  }
  // An explicitly named file is read whatever its extension.
  if ((await stat(real)).isFile()) return { files: [real], isCut: false, unreadable: 0 }
  return listFiles(roots, { ...limits, within: real, accept: isSource })
}

/** A search ends once it has this many hits that cannot be improved. */
const enough = 20

/** The symbols of a search so far that contain words of its query. */
function collectHits(query: string, words: Words) {
  const hits: SymbolHit[] = []
  const worths: number[] = []
  /** True if a hit has the name of the query and a body. */
  let isFound = false
  return {
    hits,
    add(symbols: readonly SymbolHit[]): void {
      for (const hit of symbols) {
        const worth = worthOf(hit, words, query)
        if (worth <= 0) continue
        hits.push(hit)
        worths.push(worth)
        isFound ||= isNamed(hit, query) && !hit.isDeclaration
      }
    },
    /** True if files with lines of at most `most` words cannot contain better hits. */
    cannotImprove(most: number, maxResults: number): boolean {
      if (isFound && most < words.count) return true
      return worths.filter((worth) => worth >= most).length >= Math.max(maxResults, enough)
    },
  }
}

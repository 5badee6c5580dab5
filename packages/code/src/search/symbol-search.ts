import { stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { readText, stampOf } from '../access/read-text.ts'
import type { Roots } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
import { languageOfName } from '../languages/all-languages.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import { isGlob } from './find-files.ts'
import { globMatcher } from './glob.ts'
import { type Listing, listFiles } from './list-files.ts'
import { anyWords, mostInLine, readingsOf, type Words } from './query-words.ts'
import { hitOf, isNamed, rankHits, type SymbolHit, wordsIn, worthOf } from './symbol-hit.ts'

export interface SearchOptions {
  /** Only this file, what is in this folder, or what this glob means. */
  path?: string
  maxResults?: number
  signal?: AbortSignal
  onProgress?(done: number, total: number): void
}

export interface SearchResult {
  /** Best first. */
  hits: readonly SymbolHit[]
  /** How many symbols have words of the query. */
  total: number
  /** Files with words of the query that there was no time to read. Another search goes on there. */
  unread: number
  /** Not all files of the folders were looked at, since there are too many. */
  isCut: boolean
  /** Folders that could not be read. */
  unreadable: number
}

export interface SymbolSearch {
  /** Symbols whose names or signatures have the words of a query. */
  find(query: string, options?: SearchOptions): Promise<SearchResult>
}

interface Limits {
  maxFileBytes: number
  waitMs: number
  maxFiles?: number | undefined
}

interface Known {
  stamp: string
  hits: readonly SymbolHit[]
}

/** As many that could not be better end a search. */
const enough = 20
/** Of symbols that are kept, of all files. */
const mostKept = 400_000

export function createSymbolSearch(roots: Roots, files: SourceFiles, limits: Limits): SymbolSearch {
  const kept = new LRUCache<string, Known>({
    maxSize: mostKept,
    sizeCalculation: ({ hits }) => hits.length + 1,
  })

  return {
    async find(query, { path, maxResults = 20, signal, onProgress } = {}) {
      const until = performance.now() + limits.waitMs
      const isOver = (): boolean => performance.now() > until
      const listing = await listSources(roots, path, limits.maxFiles, signal)
      const { words, known, candidates, unseen } = await sift(listing.files, query, isOver, signal)
      const hits: SymbolHit[] = []
      const worths: number[] = []
      let isFound = false
      const take = (own: readonly SymbolHit[]): void => {
        for (const hit of own) {
          const worth = worthOf(hit, words, query)
          if (worth <= 0) continue
          hits.push(hit)
          worths.push(worth)
          isFound ||= isNamed(hit, query) && !hit.isDeclaration
        }
      }
      known.forEach(take)
      let done = 0
      let isEnough = false
      for (const { real, words: most } of candidates) {
        signal?.throwIfAborted()
        // What follows has no line that promises more than these are worth.
        isEnough =
          (isFound && most < words.count) ||
          worths.filter((worth) => worth >= most).length >= Math.max(maxResults, enough)
        if (isEnough || isOver()) break
        take(await read(real))
        done++
        onProgress?.(done, candidates.length)
      }
      return {
        hits: rankHits(hits, query).slice(0, maxResults),
        total: hits.length,
        unread: isEnough ? 0 : candidates.length - done + unseen,
        isCut: listing.isCut,
        unreadable: listing.unreadable,
      }
    },
  }

  /** Which files are known as they are, and which of the others may have words of the query. */
  async function sift(
    among: readonly string[],
    query: string,
    isOver: () => boolean,
    signal: AbortSignal | undefined,
  ): Promise<Sifted> {
    const known: (readonly SymbolHit[])[] = []
    const others: string[] = []
    for (const real of among) {
      const own = kept.get(real)
      if (own && own.stamp === (await stampOf(real).catch(() => undefined))?.stamp)
        known.push(own.hits)
      else others.push(real)
    }
    for (const words of readingsOf(query)) {
      const found: Candidate[] = []
      let unseen = 0
      for (const real of others) {
        signal?.throwIfAborted()
        if (isOver()) {
          unseen++
          continue
        }
        const read = await readText(real, real, limits.maxFileBytes).catch(() => undefined)
        const most = read ? mostInLine(read.text, words) : 0
        if (most > 0) found.push({ real, words: most })
      }
      found.sort((one, other) => other.words - one.words)
      const isKnown = known.some((own) => own.some((hit) => wordsIn(hit, words) > 0))
      if (found.length > 0 || isKnown || unseen > 0)
        return { words, known, candidates: found, unseen }
    }
    // Of a name that nothing has, others may be meant.
    const candidates = others.map((real) => ({ real, words: 0 }))
    return { words: anyWords, known, candidates, unseen: 0 }
  }

  async function read(real: string): Promise<readonly SymbolHit[]> {
    const before = await stampOf(real).catch(() => undefined)
    const file = await files.get(real).catch((error: unknown) => {
      if (error instanceof CodeError) return undefined
      throw error
    })
    const hits = file ? file.symbols.map((symbol) => hitOf(file, symbol)) : []
    if (before && !before.isFresh) kept.set(real, { stamp: before.stamp, hits })
    return hits
  }
}

interface Candidate {
  real: string
  /** The most words of the query in one line; half of it where that defines nothing. */
  words: number
}

interface Sifted {
  words: Words
  known: (readonly SymbolHit[])[]
  candidates: readonly Candidate[]
  unseen: number
}

/** Source files of all folders; of a file, a folder or a glob only these, however many others there are. */
async function listSources(
  roots: Roots,
  path: string | undefined,
  maxFiles: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const limits = { ...(maxFiles !== undefined && { maxFiles }), signal }
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
  // A file that is named is read whatever its name says.
  if ((await stat(real)).isFile()) return { files: [real], isCut: false, unreadable: 0 }
  return listFiles(roots, { ...limits, within: real, accept: isSource })
}

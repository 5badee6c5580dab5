import { createRanker, termsOf } from '@pith-mcp/scorer'
import { LRUCache } from 'lru-cache'
import picomatch from 'picomatch'
import { readText, stampOf } from '../access/read-text.ts'
import { isInside, type Roots } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
import { languageOfName } from '../languages/all-languages.ts'
import { firstLines } from '../outline/signature.ts'
import type { SourceFile } from '../outline/source-file.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import type { CodeSymbol } from '../outline/symbols.ts'
import { listFiles } from './list-files.ts'

/** A symbol that a search found. Lines are of the file, from 1. */
export interface SymbolHit {
  /** `path#name path`, as a chunk is asked for. */
  id: string
  file: string
  path: string
  kind: CodeSymbol['kind']
  signature: string
  startLine: number
  endLine: number
}

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
}

export interface SymbolSearch {
  /** Symbols whose names or signatures have the words of a query. */
  find(query: string, options?: SearchOptions): Promise<SearchResult>
}

interface Limits {
  maxFileBytes: number
  waitMs: number
}

interface Known {
  stamp: string
  hits: readonly SymbolHit[]
}

/** Of symbols that are kept, of all files. */
const mostKept = 400_000
/** Hits that are ranked; more have only words that say little. */
const mostRanked = 20_000
/** As many that have all words end the search. */
const enough = 200

export function createSymbolSearch(roots: Roots, files: SourceFiles, limits: Limits): SymbolSearch {
  const kept = new LRUCache<string, Known>({
    maxSize: mostKept,
    sizeCalculation: ({ hits }) => hits.length + 1,
  })

  return {
    async find(query, { path, maxResults = 20, signal, onProgress } = {}) {
      const wanted = wordsOf(query)
      const until = performance.now() + limits.waitMs
      const isOver = (): boolean => performance.now() > until
      const listing = await listFiles(roots, signal)
      const among = await filesWithin(listing.files, path, roots)
      const { known, candidates, unseen } = await sift(among, wanted, isOver, signal)
      let hits = known.flatMap((own) => own.filter((hit) => has(hit, wanted)))
      let done = 0
      for (const real of candidates) {
        signal?.throwIfAborted()
        if (isOver() || hits.filter((hit) => hasAll(hit, wanted)).length >= enough) break
        hits = hits.concat((await read(real)).filter((hit) => has(hit, wanted)))
        onProgress?.(++done, candidates.length)
      }
      const ranked = rank(hits, query)
      return {
        hits: ranked.slice(0, maxResults),
        total: hits.length,
        unread: candidates.length - done + unseen,
        isCut: listing.isCut,
      }
    },
  }

  /** Which files are known as they are, and which of the others have words of the query. */
  async function sift(
    among: readonly string[],
    wanted: Words,
    isOver: () => boolean,
    signal: AbortSignal | undefined,
  ): Promise<{ known: (readonly SymbolHit[])[]; candidates: string[]; unseen: number }> {
    const known: (readonly SymbolHit[])[] = []
    const found: { real: string; words: number }[] = []
    let unseen = 0
    for (const real of among) {
      signal?.throwIfAborted()
      const own = kept.get(real)
      if (own && own.stamp === (await stampOf(real).catch(() => ''))) known.push(own.hits)
      else if (isOver()) unseen++
      else {
        const text = await readText(real, real, limits.maxFileBytes).catch(() => undefined)
        if (text) found.push({ real, words: countIn(text.text, wanted) })
      }
    }
    const named = found.filter(({ words }) => words > 0)
    // Of a name that nothing has, others may be meant.
    const candidates = named.length > 0 || known.flat().some((hit) => has(hit, wanted)) ? named : found
    candidates.sort((one, other) => other.words - one.words)
    return { known, candidates: candidates.map(({ real }) => real), unseen }
  }

  async function read(real: string): Promise<readonly SymbolHit[]> {
    const stamp = await stampOf(real).catch(() => '')
    const file = await files.get(real).catch((error: unknown) => {
      if (error instanceof CodeError) return undefined
      throw error
    })
    const hits = file ? file.symbols.map((symbol) => hitOf(file, symbol)) : []
    kept.set(real, { stamp, hits })
    return hits
  }
}

interface Words {
  /** The query without blanks, in lower case. */
  whole: string
  stems: readonly string[]
}

function wordsOf(query: string): Words {
  return {
    whole: query.trim().toLowerCase(),
    stems: [...new Set(termsOf(query))].filter((term) => term.length > 1),
  }
}

/** How many of the words a text has; the whole query counts as more than all. */
function countIn(text: string, { whole, stems }: Words): number {
  const lower = text.toLowerCase()
  const words = stems.filter((stem) => lower.includes(stem)).length
  return words + (lower.includes(whole) ? stems.length + 1 : 0)
}

const textOf = ({ path, signature }: SymbolHit): string => `${path} ${signature}`.toLowerCase()

function has(hit: SymbolHit, { whole, stems }: Words): boolean {
  const text = textOf(hit)
  return text.includes(whole) || stems.length === 0 || stems.some((stem) => text.includes(stem))
}

function hasAll(hit: SymbolHit, { stems }: Words): boolean {
  const text = textOf(hit)
  return stems.every((stem) => text.includes(stem))
}

function rank(hits: readonly SymbolHit[], query: string): SymbolHit[] {
  const ranker = createRanker(hits.slice(0, mostRanked), {
    fields: [
      { name: 'name', text: ({ path }) => path.slice(path.lastIndexOf('/') + 1), weight: 6 },
      { name: 'name path', text: ({ path }) => path.replaceAll('/', ' '), weight: 3 },
      { name: 'signature', text: ({ signature }) => signature, weight: 1 },
      { name: 'file', text: ({ file }) => file, weight: 0.5 },
    ],
  })
  const wanted = query.trim().replace(/::|[.#]/g, '/')
  const isExact = ({ path }: SymbolHit): boolean => {
    const bare = path.replace(/\[\d+\]$/, '')
    return bare === wanted || bare.endsWith(`/${wanted}`)
  }
  const ranked = ranker.rank(query, { limit: hits.length }).map(({ item }) => item)
  return [...ranked.filter(isExact), ...ranked.filter((hit) => !isExact(hit))]
}

function hitOf({ path, lines, text }: SourceFile, symbol: CodeSymbol): SymbolHit {
  return {
    id: `${path}#${symbol.path}`,
    file: path,
    path: symbol.path,
    kind: symbol.kind,
    signature: firstLines(text, symbol),
    startLine: lines.lineAt(symbol.start),
    endLine: lines.lineAt(Math.max(symbol.start, symbol.end - 1)),
  }
}

async function filesWithin(
  all: readonly string[],
  path: string | undefined,
  roots: Roots,
): Promise<readonly string[]> {
  const sources = all.filter((file) => languageOfName(file) !== undefined)
  if (path === undefined || path === '' || path === '.') return sources
  if (/[*?[\]{}]/.test(path)) {
    const matches = picomatch(path, { dot: true, basename: !path.includes('/') })
    return sources.filter((file) => matches(roots.nameOf(file)))
  }
  const real = await roots.resolve(path)
  // A file that is named is read whatever its name says.
  return all.includes(real) ? [real] : sources.filter((file) => isInside(file, real))
}

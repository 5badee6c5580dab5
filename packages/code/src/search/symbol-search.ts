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
  /** It is only declared, without a body. */
  isDeclaration?: true
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
/** Of a query that count; more are no name. */
const mostWords = 12

export function createSymbolSearch(roots: Roots, files: SourceFiles, limits: Limits): SymbolSearch {
  const kept = new LRUCache<string, Known>({
    maxSize: mostKept,
    sizeCalculation: ({ hits }) => hits.length + 1,
  })

  return {
    async find(query, { path, maxResults = 20, signal, onProgress } = {}) {
      const until = performance.now() + limits.waitMs
      const isOver = (): boolean => performance.now() > until
      const listing = await listFiles(roots, signal)
      const among = await filesWithin(listing.files, path, roots)
      const { words, known, candidates, unseen } = await sift(among, query, isOver, signal)
      let hits = known.flatMap((own) => own.filter((hit) => wordsIn(hit, words) > 0))
      let done = 0
      let isEnough = false
      for (const { real, words: most } of candidates) {
        signal?.throwIfAborted()
        // What follows has no line with more words of the query than these have.
        const good = hits.filter((hit) => worthOf(hit, words, query) >= most)
        isEnough =
          good.length >= maxResults ||
          (most < words.count && good.some((hit) => isNamed(hit, query)))
        if (isEnough || isOver()) break
        hits = hits.concat((await read(real)).filter((hit) => wordsIn(hit, words) > 0))
        done++
        onProgress?.(done, candidates.length)
      }
      return {
        hits: rank(hits, query).slice(0, maxResults),
        total: hits.length,
        unread: isEnough ? 0 : candidates.length - done + unseen,
        isCut: listing.isCut,
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

/** The words of a query. */
interface Words {
  /** Each a group of it. */
  pattern: RegExp
  count: number
  /** Finds the last name of the query, as a whole. */
  whole: RegExp
}

/** What a whole name is worth beside its words. */
const worthOfWhole = 0.25

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

/** The query as the names it has, and, if nothing has these, as parts of names. */
function readingsOf(query: string): Words[] {
  const names = query.split(/[\s/.#():,]+/).filter((name) => name.length > 1)
  const whole = names.map((name) => (/^[a-z]+$/.test(name) ? (termsOf(name)[0] ?? name) : name))
  return [whole, termsOf(query).filter((term) => term.length > 1)]
    .map((words) => [...new Set(words.map((word) => word.toLowerCase()))].slice(0, mostWords))
    .filter((words) => words.length > 0)
    .map((words) => ({
      pattern: patternOf(words),
      count: words.length,
      whole: new RegExp(`(?<![\\w$])${plain(names.at(-1) ?? '')}(?![\\w$])`, 'iu'),
    }))
}

const anyWords: Words = { pattern: /(?:)/g, count: 1, whole: /(?:)/ }

/** A name with no sign that a pattern would take for its own. */
const plain = (name: string): string => name.replace(/[^\p{L}\p{N}_]/gu, '\\$&')

const patternOf = (words: readonly string[]): RegExp =>
  new RegExp(words.map((word) => `(${plain(word)})`).join('|'), 'giu')

/** A line that may define something, in one of many languages. */
const defining =
  /^\s*(?:@\w+\s+)?(?:export|default|pub|public|private|protected|internal|static|async|abstract|final|override|inline|virtual|extern|open|def|defp?|func|fn|fun|function|class|struct|interface|trait|enum|type|impl|module|namespace|sub|#\s*define|const|let|var|val|local|object|case class)\b|^\w[^;=]*\([^;]*$|^\s*[\w$<>,*&~:\s[\]]+\([^;]*\{\s*$/

/** The most that a line of a text promises, by the words of a query that it has. */
function mostInLine(text: string, words: Words): number {
  const { pattern, count, whole } = words
  let most = 0
  let line = -1
  let end = 0
  let seen = new Set<string>()
  const look = (): void => {
    if (line < 0 || seen.size + worthOfWhole <= most) return
    const own = text.slice(line, Math.min(end, line + longestLine))
    const worth = seen.size + (whole.test(own) ? worthOfWhole : 0)
    most = Math.max(most, defining.test(own) ? worth : worth / 2)
  }
  for (const match of text.matchAll(pattern)) {
    if (match.index >= end) {
      look()
      if (most > count) return most
      line = text.lastIndexOf('\n', match.index) + 1
      const newline = text.indexOf('\n', match.index)
      end = newline < 0 ? text.length : newline + 1
      seen = new Set()
    }
    seen.add(match[0].toLowerCase())
  }
  look()
  return most
}

const longestLine = 400

const worthOf = (hit: SymbolHit, words: Words, query: string): number =>
  wordsIn(hit, words) + (isNamed(hit, query) ? worthOfWhole : 0)

/** How many of the words its name and signature have. */
function wordsIn({ path, signature }: SymbolHit, { pattern, count }: Words): number {
  const found = new Set<string>()
  for (const [word] of `${path} ${signature}`.matchAll(pattern)) found.add(word.toLowerCase())
  return Math.min(found.size, count)
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
  const ranked = ranker.rank(query, { limit: hits.length }).map(({ item }) => item)
  const classOf = (hit: SymbolHit): number =>
    !isNamed(hit, query) ? 3 : hit.isDeclaration ? 2 : callable.has(hit.kind) ? 0 : 1
  return ranked.toSorted((one, other) => classOf(one) - classOf(other))
}

/** Of things of one name, what can be called is looked for. */
const callable: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'accessor'])

/** Whether the query is its name or name path, or the end of that. */
function isNamed({ path }: SymbolHit, query: string): boolean {
  const wanted = query.trim().replace(/::|[.#]/g, '/')
  return `/${path.replace(/\[\d+\]$/, '')}`.endsWith(`/${wanted}`)
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
    ...(symbol.isDeclaration && { isDeclaration: true }),
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

import { join } from 'node:path'
import { attempt } from '#base/attempt'
import { removeFile } from '#base/sqlite-files'
import type { Roots } from '../access/roots.ts'
import { termsOfName } from '../describe/words.ts'
import type { IndexedSymbols } from '../parse/symbol-table.ts'
import { SymbolIndex } from '../symbol-index/symbol-index.ts'
import { eachName } from '../text/each-name.ts'
import type { Account } from './account.ts'
import { ByteSearch, maxSimilar } from './byte-search.ts'
import type { Candidates, Described, FilesWithText, Scope } from './candidates.ts'
import { type Batch, IndexQueue } from './index-queue.ts'
import { type Divided, KeptListings } from './kept-listings.ts'
import { exactWords, type Words, worthOfWhole } from './query-words.ts'

/** Files with an identifier, those that define it first, and what was not searched. */
export interface Mentions {
  files: readonly string[]
  /** Those of them that may define it. */
  definers: readonly string[]
  account: Account
}

/** Milliseconds between passes over the same listing. */
const restMs = 3_000
/** More files with a name are not compared with what they are now before they are read. */
const maxVerified = 1_000
/** Files that a query describes. */
const maxDescribed = 10

/** Searches the files that are indexed by the index, and the others by their bytes. */
export class IndexedSearch {
  readonly #roots: Roots
  readonly #bytes: ByteSearch
  readonly #index: SymbolIndex | undefined
  readonly listings: KeptListings
  /** The last pass. */
  #passed: { listing: Divided; at: number } | undefined
  readonly #queue: IndexQueue | undefined

  static async open(roots: Roots, maxFileBytes: number, database?: string): Promise<IndexedSearch> {
    const index = database === undefined ? undefined : await SymbolIndex.open(database)
    if (!index?.isWorn) return new IndexedSearch(roots, maxFileBytes, index)
    index.close()
    await removeFile(database as string)
    return IndexedSearch.open(roots, maxFileBytes, database)
  }

  constructor(roots: Roots, maxFileBytes: number, index: SymbolIndex | undefined) {
    this.#roots = roots
    this.#bytes = new ByteSearch(maxFileBytes)
    this.#index = index
    this.#queue = index && new IndexQueue(index, roots)
    this.listings = new KeptListings(roots, index)
  }

  async candidates(
    readings: readonly Words[],
    scope: Scope,
    isStopped: () => boolean,
  ): Promise<Candidates> {
    const from = Date.now()
    const result = await this.#candidatesOf(readings, scope, isStopped)
    // A name that nothing defines may have been written since the files were listed.
    if (result.reading === 0 || result.listedAt >= from || !this.listings.refuse(scope))
      return result.candidates
    return (await this.#candidatesOf(readings, scope, isStopped)).candidates
  }

  async #candidatesOf(readings: readonly Words[], scope: Scope, isStopped: () => boolean) {
    const divided = await this.listings.divide(scope, isStopped)
    const { indexed, pending, account } = divided
    const byIndex = await this.#candidatesIn(indexed, readings)
    const byBytes =
      pending.length === 0
        ? { reading: -1, files: [], account }
        : await this.#bytes.candidates(
            readings,
            { files: pending, account },
            scope.waitMs,
            isStopped,
          )
    const reading = best(byIndex.reading, byBytes.reading)
    const isSmall = byBytes.account.unread === 0 && divided.files.length <= maxSimilar
    const all = isSmall ? divided.files.map((real) => ({ real, most: 0 })) : []
    const files = [byIndex, byBytes].flatMap((source) =>
      source.reading === reading ? source.files : [],
    )
    const candidates = {
      reading,
      files: reading < 0 ? all : files.sort((a, b) => b.most - a.most),
      account: accountOf(divided, byBytes.account),
    }
    return { reading, candidates, listedAt: divided.at }
  }

  async mentions(name: string, scope: Scope, isStopped: () => boolean): Promise<Mentions> {
    const { maxFiles, waitMs } = scope
    const divided = await this.listings.divide({ maxFiles }, isStopped)
    const isScoped = scope.within !== undefined || scope.glob !== undefined
    const inScope = isScoped && new Set((await this.listings.divide(scope, isStopped)).files)
    const { indexed, account } = divided
    const [term] = termsOfName(name)
    // An index has no terms of very long names. A file that is named is read whatever it is.
    const listed = term === undefined ? divided.files : divided.pending
    const named = scope.within === undefined || !inScope ? [] : [...inScope].slice(0, 1)
    const pending = [...new Set([...listed, ...named.filter((real) => !indexed.has(real))])]
    const pendingFiles =
      pending.length === 0
        ? { reading: -1, files: [], account }
        : await this.#bytes.candidates(
            [exactWords(name)],
            { files: pending, account },
            waitMs,
            isStopped,
          )
    const byBytes = pendingFiles.reading === 0 ? pendingFiles.files : []
    const realPaths = (paths: ReadonlySet<string> = new Set()): string[] =>
      [...paths].map(this.#realOf).filter((real) => indexed.has(real))
    const defining = realPaths(await this.#index?.defining(name))
    const mentioning = realPaths(
      term === undefined ? undefined : await this.#index?.mentioning(term),
    )
    const all = new Set([...defining, ...mentioning, ...byBytes.map(({ real }) => real)])
    return {
      files: this.#stillWith(
        name,
        [...all].filter((real) => !inScope || inScope.has(real)),
      ),
      definers: [...defining, ...byBytes.filter(({ most }) => most >= 1).map(({ real }) => real)],
      account: accountOf(divided, pendingFiles.account),
    }
  }

  /** The files that have a text as it is: of those with all its words, if it has any. */
  async texts(text: string, scope: Scope, isStopped: () => boolean): Promise<FilesWithText> {
    const divided = await this.listings.divide(scope, isStopped)
    const terms = new Set<string>()
    eachName(text, (name) => {
      const [term] = termsOfName(name)
      if (term !== undefined) terms.add(term)
    })
    let reals = [...divided.indexed]
    for (const term of terms) {
      const having = await this.#index?.mentioning(term)
      reals = reals.filter((real) => having?.has(this.#roots.nameOf(real)))
    }
    const { files, account } = await this.#bytes.candidates(
      [exactWords(text)],
      { files: divided.pending, account: divided.account },
      scope.waitMs,
      isStopped,
    )
    const all = [...reals, ...files.map(({ real }) => real)]
    const unread = account.unread + Math.max(0, all.length - maxVerified)
    return {
      files: this.containing(text, [...new Set(all)].slice(0, maxVerified)),
      account: { ...accountOf(divided, account), unread },
    }
  }

  /** Without those that have changed since they were indexed and have no such name, if they are few. */
  #stillWith(name: string, files: readonly string[]): readonly string[] {
    if (files.length > maxVerified) return files
    return files.filter(
      (real) =>
        this.#index?.fresh(real, this.#roots.nameOf(real)) || this.containing(name, [real])[0],
    )
  }

  /** Files that words describe, unless they are a name that is defined, or nothing is indexed. */
  async describe(
    query: string,
    scope: Scope,
    isStopped: () => boolean,
  ): Promise<Described | undefined> {
    const divided = await this.listings.divide(scope, isStopped)
    const { files, indexed, account } = divided
    if (!this.#index || indexed.size === 0) return undefined
    const defining = [...(await this.#index.defining(query))].map(this.#realOf)
    if (defining.some((real) => indexed.has(real))) return undefined
    const accept = (path: string): boolean => indexed.has(this.#realOf(path))
    const { paths, weights } = await this.#index.describe(query, accept, maxDescribed)
    return {
      files: paths.map(this.#realOf),
      weights,
      pending: files.length - indexed.size,
      account: { ...account, searched: indexed.size },
    }
  }

  /** Those of some files that have a text, and those that cannot be told. */
  containing(name: string, files: readonly string[]): string[] {
    return files.filter((real) => attempt(() => this.#bytes.has(real, name), true))
  }

  async symbolsOf(real: string): Promise<IndexedSymbols | undefined> {
    return this.#index?.symbolsOf(this.#roots.nameOf(real))
  }

  /**
   * Files that are not indexed as they are now; with `first`, those of a new pass, over a listing that
   * is new, or may be reused. Undefined if no file is left.
   */
  async nextBatch(
    maxFiles: number | undefined,
    first?: 'list' | 'reuse',
  ): Promise<Batch | undefined> {
    const queue = this.#queue
    if (!queue) return undefined
    if (first) {
      const listing = await this.listings.divide({ maxFiles }, () => false, first === 'list')
      // A pass over it was made; what had just changed then can be indexed now.
      const passed = this.#passed?.listing === listing ? this.#passed : undefined
      const isWhole = listing.indexed.size === listing.files.length
      if (passed && (isWhole || Date.now() - passed.at < restMs)) return undefined
      this.#passed = { listing, at: Date.now() }
      queue.begin(listing.files, listing.indexed)
    } else await this.#index?.refresh()
    return queue.next()
  }

  /** The files that define what a reading names, with an upper bound of their score. */
  async #candidatesIn(
    indexed: ReadonlySet<string>,
    readings: readonly Words[],
  ): Promise<Omit<Candidates, 'account'>> {
    const index = this.#index
    if (!index || indexed.size === 0) return { reading: -1, files: [] }
    for (const [reading, words] of readings.entries()) {
      const scores = new Map<string, number>()
      const add = (paths: ReadonlySet<string>, score: number): void => {
        for (const path of paths) {
          const real = this.#realOf(path)
          if (indexed.has(real)) scores.set(real, (scores.get(real) ?? 0) + score)
        }
      }
      const joined = words.names.join('')
      add(await index.defining(joined), words.count + worthOfWhole)
      if (scores.size > 0 && !words.isPart) {
        return { reading, files: [...scores].map(([real, most]) => ({ real, most })) }
      }
      if (words.isPart) add(await index.definingWithin(joined), 1)
      for (const word of words.words) add(await index.definingPart(word), 1)
      const [name = ''] = words.names
      if (scores.size === 0 && words.names.length === 1) {
        add(await index.definingWithin(name), 1)
        // It may be in signatures.
        if (scores.size === 0) add(await index.mentioning(termsOfName(name)[0] ?? name), 1)
      }
      if (scores.size === 0) continue
      const most = words.count + worthOfWhole
      const files = [...scores].map(([real, score]) => ({ real, most: Math.min(score, most) }))
      return { reading, files }
    }
    return { reading: -1, files: [] }
  }

  readonly #realOf = (path: string): string =>
    path.startsWith('/') ? path : join(this.#roots.folders[0] ?? '', path)
}

const accountOf = ({ files, pending }: Divided, account: Account): Account => ({
  ...account,
  searched: files.length - pending.length + (pending.length === 0 ? 0 : account.searched),
})

/** -1 stands for none. */
const best = (a: number, b: number): number => (a < 0 ? b : b < 0 ? a : Math.min(a, b))

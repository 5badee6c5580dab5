import { lstatSync } from 'node:fs'
import { loadDriver } from '#base/sqlite-driver'
import { openStore, type Store } from '#base/sqlite-store'
import { stampFrom } from '../access/read-text.ts'
import { type Postings, rankFiles, termsOfQuery } from '../describe/rank-files.ts'
import { nameOf } from '../describe/words.ts'
import type { IndexedSymbols } from '../parse/symbol-table.ts'
import { keyOf } from '../text/each-name.ts'
import { indexSchema, indexVersion, partKey } from './database.ts'
import { unpackTable } from './packed-table.ts'
import { readVarints } from './varints.ts'

/** Characters of names that are kept: those of some 100,000 files. */
const maxNamesLength = 20_000_000
/** More names are looked for among all. */
const maxLookups = 500

const allNames =
  "SELECT group_concat(name, char(10)) AS names FROM (SELECT DISTINCT name FROM definition WHERE name < '~' OR name >= '\x7f')"

/** A file as the index knows it. */
export interface StoredFile {
  id: number
  stamp: string
  /** It has symbols. */
  isParsed: boolean
}

/** Reads an index that workers, also those of other processes, fill. */
export class SymbolIndex {
  readonly #open: () => Promise<Store>
  readonly #database: string
  #store: Store
  #inode: bigint | undefined
  readonly #files = new Map<string, StoredFile>()
  readonly #paths = new Map<number, string>()
  /** How many files have a term in their name. */
  readonly #named = new Map<string, number>()
  #last = 0
  /** Names of definitions, a line each, until others are indexed. */
  #names: string | undefined

  static async open(database: string): Promise<SymbolIndex | undefined> {
    const driver = await loadDriver()
    if (!driver) return undefined
    const open = () =>
      openStore({ open: driver, path: database, schema: indexSchema, version: indexVersion })
    const index = new SymbolIndex(database, open, await open())
    await index.refresh()
    return index
  }

  private constructor(database: string, open: () => Promise<Store>, store: Store) {
    this.#database = database
    this.#open = open
    this.#store = store
    this.#inode = inodeOf(database)
  }

  /** Reads what was indexed since; all, if the file of the index is another one. */
  async refresh(): Promise<void> {
    if (inodeOf(this.#database) !== this.#inode) await this.#reopen()
    const sql =
      'SELECT id, path, stamp, symbols IS NOT NULL AS parsed FROM file WHERE id > ? ORDER BY id'
    for (const row of await this.#store.rows(sql, this.#last)) {
      this.#names = undefined
      const id = Number(row['id'])
      const path = String(row['path'])
      const former = this.#files.get(path)
      if (former) this.#paths.delete(former.id)
      else for (const term of nameOf(path)) this.#named.set(term, (this.#named.get(term) ?? 0) + 1)
      this.#files.set(path, { id, stamp: String(row['stamp']), isParsed: row['parsed'] === 1 })
      this.#paths.set(id, path)
      this.#last = id
    }
  }

  /** Another process has removed the file, or made it again. */
  async #reopen(): Promise<void> {
    this.#store.close()
    this.#store = await this.#open()
    this.#inode = inodeOf(this.#database)
    for (const map of [this.#files, this.#paths, this.#named]) map.clear()
    this.#last = 0
    this.#names = undefined
  }

  /** The last id that was given to a file: another, after something was indexed. */
  get last(): number {
    return this.#last
  }

  /** What is stored of a file, unless it has changed since, or so recently that it may again. */
  fresh(real: string, path: string): StoredFile | undefined {
    const file = this.#files.get(path)
    if (!file) return undefined
    const stats = lstatSync(real, { bigint: true, throwIfNoEntry: false })
    return stats && stampFrom(stats).stamp === file.stamp ? file : undefined
  }

  /** All files, also those that no longer exist. */
  get files(): ReadonlyMap<string, StoredFile> {
    return this.#files
  }

  /** True if most of what is stored is of former states of files. */
  get isWorn(): boolean {
    return this.#last > 3 * this.#files.size + 5_000
  }

  /** Files that define a name, in any spelling. */
  defining(name: string): Promise<Set<string>> {
    return this.#filesOf('name = ?', keyOf(name))
  }

  /** Files that define a name with a part that begins so. */
  definingPart(beginning: string): Promise<Set<string>> {
    const from = partKey(beginning)
    return this.#filesOf('name >= ? AND name < ?', from, `${from}\u{10ffff}`)
  }

  /** Files that define a name that contains a text. */
  async definingWithin(text: string): Promise<Set<string>> {
    const names = await this.namesWith(text)
    if (names.length > maxLookups)
      return this.#filesOf("instr(name, ?) > 0 AND name NOT LIKE '~%'", keyOf(text))
    const files = await Promise.all(names.map((name) => this.defining(name)))
    return new Set(files.flatMap((paths) => [...paths]))
  }

  /** The names of definitions, as keys, that contain a text. */
  async namesWith(text: string): Promise<string[]> {
    const [row] = this.#names ? [] : await this.#store.rows(allNames)
    const all = this.#names ?? `\n${row?.['names'] ?? ''}\n`
    if (all.length <= maxNamesLength) this.#names = all
    const key = keyOf(text)
    const names: string[] = []
    for (let at = all.indexOf(key); at >= 0; at = all.indexOf(key, all.indexOf('\n', at)))
      names.push(all.slice(all.lastIndexOf('\n', at) + 1, all.indexOf('\n', at)))
    return names
  }

  /** Files with a term: a name in any spelling, also as a part of others, whatever it means there. */
  async mentioning(term: string): Promise<Set<string>> {
    return this.#pathsOf(await this.#postingsOf(term), (value) => value >>> 8)
  }

  /** The files that a query describes, of those that are accepted. */
  async describe(
    query: string,
    accept: (path: string) => boolean,
    maxResults: number,
  ): Promise<{ paths: string[]; weights: ReadonlyMap<string, number> }> {
    const postings = new Map<string, Postings[]>()
    for (const term of termsOfQuery(query)) postings.set(term, await this.#postingsOf(term))
    const pathOf = (id: number): string | undefined => {
      const path = this.#paths.get(id)
      return path !== undefined && accept(path) ? path : undefined
    }
    const { files, weights } = rankFiles(
      query,
      {
        count: this.#files.size,
        last: this.#last,
        postings,
        path: pathOf,
        named: (term) => this.#named.get(term) ?? 0,
      },
      maxResults,
    )
    return { paths: files.flatMap(({ file }) => pathOf(file) ?? []), weights }
  }

  /** The symbols of a file, if it could be parsed. */
  async symbolsOf(path: string): Promise<IndexedSymbols | undefined> {
    const file = this.#files.get(path)
    if (!file?.isParsed) return undefined
    const sql = 'SELECT symbols, variables FROM file WHERE id = ?'
    const [row] = await this.#store.rows(sql, file.id)
    if (!row) return undefined
    const symbols = unpackTable(row['symbols'] as Uint8Array)
    const values = unpackTable(row['variables'] as Uint8Array)
    return { stamp: file.stamp, outlines: { symbols, values } }
  }

  #postingsOf(term: string): Promise<Postings[]> {
    return this.#postings('SELECT base, files FROM word WHERE name = ?', term)
  }

  async #filesOf(condition: string, ...values: string[]): Promise<Set<string>> {
    const sql = `SELECT base, files FROM definition WHERE ${condition}`
    return this.#pathsOf(await this.#postings(sql, ...values), (value) => value)
  }

  async #postings(sql: string, ...names: string[]): Promise<Postings[]> {
    return (await this.#store.rows(sql, ...names)).map(({ base, files }) => ({
      base: Number(base),
      values: readVarints(files as Uint8Array),
    }))
  }

  /** The files of postings that are as they were; `stepOf` gives the difference to the one before. */
  #pathsOf(postings: readonly Postings[], stepOf: (value: number) => number): Set<string> {
    const paths = new Set<string>()
    for (const { base, values } of postings) {
      let id = base
      for (const value of values) {
        id += stepOf(value)
        const path = this.#paths.get(id)
        if (path !== undefined) paths.add(path)
      }
    }
    return paths
  }

  close(): void {
    this.#store.close()
  }
}

const inodeOf = (path: string): bigint | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino

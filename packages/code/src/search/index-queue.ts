import { lstatSync } from 'node:fs'
import type { Roots } from '../access/roots.ts'
import { maxKeptLength } from '../parse/parse-pool.ts'
import type { IndexBatch } from '../symbol-index/index-files.ts'
import type { SymbolIndex } from '../symbol-index/symbol-index.ts'

/** Files to index. `left` are the files of `total` that were not indexed before them. */
export type Batch = Pick<IndexBatch, 'files' | 'formerIds' | 'hasLong'> & {
  left: number
  total: number
}

/** What a worker indexes at once, in files and bytes of source. */
const batchFiles = 400
const batchBytes = 4_000_000

/** The files of a pass that no worker has got yet. */
export class IndexQueue {
  readonly #index: SymbolIndex
  readonly #roots: Roots
  #files: string[] = []
  #total = 0
  #goneIds: number[] = []

  constructor(index: SymbolIndex, roots: Roots) {
    this.#index = index
    this.#roots = roots
  }

  /** Begins a pass over the files of a listing that are not indexed as they are now. */
  begin(files: readonly string[], indexed: ReadonlySet<string>): void {
    const rest = files.filter((real) => !indexed.has(real))
    // Another process may index the same files, so each begins somewhere.
    const from = Math.floor(Math.random() * rest.length)
    this.#files = [...rest.slice(from), ...rest.slice(0, from)]
    this.#total = files.length
    const paths = new Set(files.map(this.#roots.nameOf))
    this.#goneIds = [...this.#index.files].flatMap(([path, { id }]) =>
      paths.has(path) ? [] : [id],
    )
  }

  /** Files that no other process has indexed since; undefined if none is left. */
  next(): Batch | undefined {
    const left = this.#files.length
    const { files, hasLong } = this.#take()
    if (files.length === 0) return undefined
    const formerIds = files.flatMap(({ path }) => this.#index.files.get(path)?.id ?? [])
    formerIds.push(...this.#goneIds.splice(0))
    return { files, hasLong, formerIds, left, total: this.#total }
  }

  #take(): Pick<Batch, 'files' | 'hasLong'> {
    const files: Batch['files'][number][] = []
    for (let bytes = 0; this.#files.length > 0 && files.length < batchFiles; ) {
      const real = this.#files.at(-1) as string
      const path = this.#roots.nameOf(real)
      const size = lstatSync(real, { throwIfNoEntry: false })?.size ?? 0
      const isLong = size > maxKeptLength
      bytes += size
      if (files.length > 0 && (isLong || bytes > batchBytes)) break
      this.#files.pop()
      if (this.#index.fresh(real, path)) continue
      files.push({ real, path })
      if (isLong) return { files, hasLong: true }
    }
    return { files, hasLong: false }
  }
}

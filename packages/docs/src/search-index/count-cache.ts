import type { IndexTotals } from './search-index.ts'

const maxCounts = 5_000

/** Counts of an index as it stores them. */
export interface StoredCounts<Totals extends IndexTotals> {
  /** Changes with each write, through this connection or another. */
  version(): Promise<string>
  totals(): Promise<Totals>
  /** The number of sections with each of the terms. */
  itemsWith(terms: readonly string[]): Promise<number[]>
}

/** Counts of an index, valid until a write. */
export class CountCache<Totals extends IndexTotals = IndexTotals> {
  readonly #counts: StoredCounts<Totals>
  readonly #validMs: number
  #validUntil = 0
  #version = ''
  #totals: Promise<Totals> | undefined
  /** Sections by term, cached because counting frequent terms is slow. */
  #items = new Map<string, number>()

  /** For `validMs`, writes through other connections are not noticed. */
  constructor(counts: StoredCounts<Totals>, validMs = 0) {
    this.#counts = counts
    this.#validMs = validMs
  }

  /** To be called after a write through this connection, with `validMs`. */
  expire(): void {
    this.#validUntil = 0
  }

  async totals(): Promise<Totals> {
    await this.#validate()
    this.#totals ??= this.#counts.totals().catch((error: unknown) => {
      this.#totals = undefined
      throw error
    })
    return this.#totals
  }

  async itemsWith(terms: readonly string[]): Promise<number[]> {
    await this.#validate()
    // A write meanwhile begins another map.
    const items = this.#items
    const missing = terms.filter((term) => !items.has(term))
    const counts = missing.length > 0 ? await this.#counts.itemsWith(missing) : []
    for (const [at, term] of missing.entries()) items.set(term, counts[at] ?? 0)
    return terms.map((term) => items.get(term) ?? 0)
  }

  async #validate(): Promise<void> {
    const now = performance.now()
    if (now < this.#validUntil) return
    const version = await this.#counts.version()
    this.#validUntil = now + this.#validMs
    if (version === this.#version && this.#items.size <= maxCounts) return
    this.#version = version
    this.#totals = undefined
    this.#items = new Map()
  }
}

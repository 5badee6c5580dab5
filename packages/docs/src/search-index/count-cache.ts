import type { Prepare } from '../sqlite/open-store.ts'
import type { IndexTotals } from './search-index.ts'

const maxCounts = 5_000

/** Counts of an index, valid until a write through this connection or another. */
export class CountCache {
  #version = ''
  #totals: IndexTotals | undefined
  /** Sections by term, cached because counting frequent terms is slow. */
  #items = new Map<string, number>()

  totals(prepare: Prepare): IndexTotals {
    this.#validate(prepare)
    this.#totals ??= countTotals(prepare)
    return this.#totals
  }

  /** The number of sections with each of the terms. */
  itemsWith(prepare: Prepare, terms: readonly string[]): number[] {
    this.#validate(prepare)
    const find = prepare('SELECT doc FROM vocabulary WHERE term = ?')
    return terms.map((term) => {
      const items = this.#items.get(term) ?? Number(find.get(term)?.['doc'] ?? 0)
      this.#items.set(term, items)
      return items
    })
  }

  #validate(prepare: Prepare): void {
    const own = prepare('SELECT total_changes() AS own').get()?.['own']
    const others = prepare('PRAGMA data_version').get()?.['data_version']
    const version = `${own} ${others}`
    if (version === this.#version && this.#items.size <= maxCounts) return
    this.#version = version
    this.#totals = undefined
    this.#items = new Map()
  }
}

function countTotals(prepare: Prepare): IndexTotals {
  const pages = prepare(
    'SELECT count(*) AS all_pages, sum(failed) AS failed, sum(proposed) AS proposed FROM page',
  ).get()
  const sections = prepare(
    'SELECT count(*) AS n FROM section JOIN page ON page.id = section.page WHERE proposed = 0',
  ).get()
  const languages = prepare(
    'SELECT language, count(*) AS n FROM page WHERE language IS NOT NULL GROUP BY language ORDER BY n DESC LIMIT 20',
  ).all()
  const failed = Number(pages?.['failed'] ?? 0)
  const proposed = Number(pages?.['proposed'] ?? 0)
  return {
    pages: Number(pages?.['all_pages']) - failed - proposed,
    proposed,
    sections: Number(sections?.['n']),
    failed,
    languages: new Map(languages.map((row) => [String(row['language']), Number(row['n'])])),
  }
}

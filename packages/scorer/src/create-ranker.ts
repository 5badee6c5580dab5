import type { Ranked, Ranker } from './ranker.ts'
import { stopTerms } from './stop-words.ts'
import { termsOf } from './terms-of.ts'
import { withoutNested } from './without-nested.ts'

/** A text field of the items, and how much a term in it counts. */
export interface Field<T> {
  /** As reasons name it: `heading`. */
  name: string
  text: (item: T) => string
  weight: number
  /** How much a long field is held against its terms: 0 not at all, 1 in full. Default 0.5. */
  lengthPenalty?: number
}

export interface RankerOptions<T> {
  fields: readonly Field<T>[]
  /** The item that contains this one. Of two hits, one inside the other, the better one is kept. */
  parent?: (item: T) => T | undefined
}

/** How often a term is in each field of an item. */
interface Posting {
  item: number
  counts: number[]
}

/** Saturation of BM25: how soon another occurrence of a term stops counting. */
const saturation = 1.2
const mostTerms = 64

/**
 * Rank by BM25F: rare terms count more than common ones, and terms in a heavy or short field more
 * than in a light or long one. Items with more of the query's terms come before items with fewer.
 * Built once, in time linear in the text; the order is the same every time.
 */
export function createRanker<T>(
  items: readonly T[],
  { fields, parent }: RankerOptions<T>,
): Ranker<T> {
  const postings = new Map<string, Posting[]>()
  const lengths = items.map((item, index) =>
    fields.map((field, at) => addField(termsOf(field.text(item)), index, at)),
  )
  const averages = fields.map(
    (_, at) => lengths.reduce((sum, row) => sum + (row[at] ?? 0), 0) / (items.length || 1) || 1,
  )

  return {
    rank(query, { limit = Number.POSITIVE_INFINITY } = {}) {
      const terms = queryTermsOf(query)
      const hits = new Map<number, { score: number; matched: number; reasons: string[] }>()
      for (const term of terms) {
        const found = postings.get(term) ?? []
        const rarity = Math.log(1 + (items.length - found.length + 0.5) / (found.length + 0.5))
        for (const posting of found) {
          const hit = hits.get(posting.item) ?? { score: 0, matched: 0, reasons: [] }
          const frequency = weighted(posting)
          hit.score += (rarity * frequency) / (saturation + frequency)
          hit.matched++
          hit.reasons.push(...reasonsOf(term, posting))
          hits.set(posting.item, hit)
        }
      }
      const ranked = [...hits]
        .map(([index, { score, matched, reasons }]) => ({
          index,
          item: items[index] as T,
          score: score * (matched / terms.length),
          reasons,
        }))
        .sort((a, b) => b.score - a.score || a.index - b.index)
      return withoutNested(ranked, parent, limit).map(
        ({ item, score, reasons }): Ranked<T> => ({ item, score, reasons }),
      )
    },
  }

  /** Enter the terms of one field; gives its length. */
  function addField(terms: readonly string[], item: number, at: number): number {
    for (const term of terms) {
      const list = postings.get(term)
      const last = list?.at(-1)
      if (last?.item === item) last.counts[at] = (last.counts[at] ?? 0) + 1
      else {
        const counts = fields.map((_, index) => (index === at ? 1 : 0))
        if (list) list.push({ item, counts })
        else postings.set(term, [{ item, counts }])
      }
    }
    return terms.length
  }

  function weighted({ item, counts }: Posting): number {
    return fields.reduce((sum, { weight, lengthPenalty = 0.5 }, at) => {
      const length = (lengths[item]?.[at] ?? 0) / (averages[at] ?? 1)
      return sum + (weight * (counts[at] ?? 0)) / (1 - lengthPenalty + lengthPenalty * length)
    }, 0)
  }

  function reasonsOf(term: string, { counts }: Posting): string[] {
    return fields.flatMap(({ name }, at) => {
      const count = counts[at] ?? 0
      if (count === 0) return []
      return [count === 1 ? `${name}: ${term}` : `${name}: ${count} × ${term}`]
    })
  }
}

/** The terms of a question, each once; words that say nothing only if there are no others. */
function queryTermsOf(query: string): string[] {
  const all = [...new Set(termsOf(query.slice(0, 10_000)))]
  const telling = all.filter((term) => !stopTerms.has(term))
  return (telling.length > 0 ? telling : all).slice(0, mostTerms)
}

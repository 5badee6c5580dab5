import {
  createSectionRanker,
  matchedTerms,
  type Ranked,
  readQuery,
  type SectionFields,
  type Tuning,
  termsOf,
} from '@pith-mcp/scorer'
import type { Candidate } from '../search-index/search-index.ts'
import { pageShare, referenceShareOf } from './page-share.ts'
import type { RepairedQuery, SearchedIndex } from './repair-query.ts'
import { raiseNamedPages, scoreByName } from './score-by-name.ts'

/** Sections with a smaller share of the score of the best one are left out of replies. */
export const weakShare = 0.3
/** Reduction of a section that is all code: a question is answered by text. */
const codeWeight = 0.3

/** A query with at most this many telling words names something, as a term of a printed index does. */
const maxNameWords = 3
/** The title that consists of a name counts more than its words in others. */
const nameTuning: Partial<Tuning> = { titleCoverage: 0.7, title: 0 }

export type RankedSection = Omit<Ranked<Candidate>, 'terms'>

/** A ranked section and its index. */
export interface OwnedSection extends RankedSection {
  owner: SearchedIndex
}

/** The sections that match a query, best first. */
export async function rankSections(
  candidates: readonly Candidate[],
  indexes: readonly SearchedIndex[],
  { text, beginnings }: RepairedQuery,
  tuning?: Partial<Tuning>,
): Promise<RankedSection[]> {
  const terms = readQuery(text).terms.map(({ term }) => term)
  // A term that begins with a word of the query counts as that word.
  const meant = new Map([...beginnings].flatMap(([term, begun]) => begun.map((key) => [key, term])))
  const read = new Map([...[...matchedTerms(text)].map((term) => [term, term] as const), ...meant])
  const field = (fieldText: string) =>
    meant.size > 0 ? termsOf(fieldText).map((term) => meant.get(term) ?? term) : fieldText
  const fields: SectionFields<Candidate> = {
    heading: ({ heading }) => field(heading),
    // Of other terms only their places matter.
    text: (section) => section.terms.split(' ').map((term) => read.get(term) ?? ''),
    id: ({ id }) => field(id),
    path: ({ pageTitle, path }) => field([pageTitle, ...path].join(' ')),
    collection: await collectionOf(indexes, terms),
  }
  const ranked = createSectionRanker(candidates, fields, {
    ...(tellingWords(text) <= maxNameWords && nameTuning),
    ...tuning,
  }).rank(text)
  const top = ranked[0]?.score ?? 0
  const byName = scoreByName(text, top)
  const weighted = ranked.map((hit): RankedSection => {
    const { item, score } = hit
    const share = 1 - codeWeight * codeShare(item.text)
    return {
      item,
      score: byName(
        { id: item.id, heading: item.heading, terms: () => item.terms.split(' ') },
        score * share * pageShare(item.url) * referenceShareOf(item.title, item.text),
      ),
      // Computed lazily, for shown hits only.
      get reasons() {
        return hit.reasons
      },
    }
  })
  weighted.sort((a, b) => b.score - a.score)
  raiseNamedPages(text, weighted, top)
  return weighted
}

async function collectionOf(indexes: readonly SearchedIndex[], terms: readonly string[]) {
  const counts = await Promise.all(indexes.map(({ index }) => index.itemsWith(terms)))
  const totals = await Promise.all(indexes.map(({ index }) => index.totals()))
  const countByTerm = new Map(
    terms.map((name, at) => [name, counts.reduce((sum, count) => sum + (count[at] ?? 0), 0)]),
  )
  return {
    size: totals.reduce((sum, { sections, proposed }) => sum + sections + proposed, 0),
    itemsWith: (term: string) => countByTerm.get(term),
  }
}

/** Number of telling words: a name with its parts is one, and without blanks each term is one. */
function tellingWords(text: string): number {
  const telling = readQuery(text).terms.flatMap(({ term, weight }) => (weight === 1 ? term : []))
  return text.split(/\s+/).reduce((sum, word) => {
    const count = termsOf(word).filter((term) => telling.includes(term)).length
    return sum + (/\p{Lo}/u.test(word) ? count : Math.min(1, count))
  }, 0)
}

function codeShare(text: string): number {
  let code = 0
  let isCode = false
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    else if (isCode) code += line.length + 1
  }
  return text === '' ? 0 : code / text.length
}

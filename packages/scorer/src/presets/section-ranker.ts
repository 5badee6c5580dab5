import { createRanker, type IndexedRanker } from '../rank/create-ranker.ts'
import type { Tuning } from '../rank/tuning.ts'
import type { Collection } from '../term-index/term-index.ts'

/** How to read a section of a page. */
export interface SectionFields<T> {
  heading: (section: T) => string
  /** Its own text, without that of the sections it contains. */
  text: (section: T) => string
  /** Its fragment, which often names it in other words. */
  id?: (section: T) => string
  /** Titles of what it is in: the page, the sections around it. */
  path?: (section: T) => string
  parent?: (section: T) => T | undefined
  /** The page it is on, if there are several. */
  page?: (section: T) => string
  /** Of what the sections are only the candidates. */
  collection?: Collection
}

const sectionTuning: Partial<Tuning> = {
  queryCoverage: 0.5,
  titleCoverage: 1,
  adjacency: 0.8,
  group: 0.5,
}

/** Rank the sections of a page or a site against a question. */
export function createSectionRanker<T>(
  sections: readonly T[],
  { heading, text, id, path, parent, page, collection }: SectionFields<T>,
  tuning: Partial<Tuning> = {},
): IndexedRanker<T> {
  return createRanker(sections, {
    fields: [
      { name: 'heading', text: heading, weight: 4, lengthPenalty: 0.3 },
      { name: 'own text', text, weight: 1, lengthPenalty: 0.15 },
      ...(id ? [{ name: 'id', text: id, weight: 1.5, lengthPenalty: 0.3 }] : []),
      ...(path ? [{ name: 'path', text: path, weight: 1, lengthPenalty: 0.3 }] : []),
    ],
    ...(parent && { parent }),
    ...(page && { group: page }),
    ...(collection && { collection }),
    tuning: { ...sectionTuning, ...tuning },
  })
}

import { createRanker } from '../rank/create-ranker.ts'
import type { IndexedRanker } from '../rank/ranker.ts'
import type { Tuning } from '../rank/tuning.ts'
import type { Collection, Field } from '../term-index/term-index.ts'

/** Accessors of a section of a page. */
export interface SectionFields<T> {
  heading: Field<T>['text']
  /** Its own text, without that of its subsections. */
  text: Field<T>['text']
  /** Its fragment, which often contains other words. */
  id?: Field<T>['text']
  /** Titles of the page and of the sections around it. */
  path?: Field<T>['text']
  parent?: (section: T) => T | undefined
  /** The collection from which the sections are candidates. */
  collection?: Collection
}

const sectionTuning: Partial<Tuning> = {
  queryCoverage: 0.5,
  titleCoverage: 0,
  title: 0.3,
  proximity: 0.3,
  adjacency: 0.8,
  synonym: 0.2,
}

/** Rank the sections of a page or a site by a query. */
export function createSectionRanker<T>(
  sections: readonly T[],
  { heading, text, id, path, parent, collection }: SectionFields<T>,
  tuning: Partial<Tuning> = {},
): IndexedRanker<T> {
  return createRanker(sections, {
    fields: [
      { name: 'heading', text: heading, weight: 4, lengthPenalty: 0.3 },
      { name: 'own text', text, weight: 1, lengthPenalty: 0.3 },
      ...(id ? [{ name: 'id', text: id, weight: 0.7, lengthPenalty: 0.3 }] : []),
      ...(path ? [{ name: 'path', text: path, weight: 3, lengthPenalty: 0.3 }] : []),
    ],
    ...(parent && { parent }),
    ...(collection && { collection }),
    tuning: { ...sectionTuning, ...tuning },
  })
}

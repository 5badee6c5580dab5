export {
  createMeaning,
  type Embed,
  type Meaning,
  type MeaningOptions,
  type MeaningText,
  type VectorStore,
} from './meaning/create-meaning.ts'
export { createOpenAiEmbedder, type EmbeddingEndpoint } from './meaning/openai-embedder.ts'
export { withMeaning } from './meaning/with-meaning.ts'
export { createSectionRanker, type SectionFields } from './presets/section-ranker.ts'
export { createToolRanker, type ToolText } from './presets/tool-ranker.ts'
export { createRanker, type RankerOptions } from './rank/create-ranker.ts'
export { excerptOf } from './rank/excerpt.ts'
export type { IndexedRanker, Ranked, RankOptions } from './rank/ranker.ts'
export { matchedTerms } from './rank/slots.ts'
export { defaultTuning, type Tuning } from './rank/tuning.ts'
export type { Collection, Field } from './term-index/term-index.ts'
export { editDistance } from './terms/edit-distance.ts'
export { type Query, type QueryTerm, readQuery } from './terms/read-query.ts'
export { synonymsOf } from './terms/synonyms-of.ts'
export { termsOf } from './terms/terms-of.ts'

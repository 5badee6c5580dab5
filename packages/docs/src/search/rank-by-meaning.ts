import { createHash } from 'node:crypto'
import { type Meaning, type MeaningText, type VectorStore, withMeaning } from '@pith-mcp/scorer'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { RankedSection } from './rank-sections.ts'

/** An embedding model that ranks what the words have found. */
export interface MeaningOptions {
  meaning: Meaning
  /** Its name; vectors of different models cannot be compared. */
  model: string
  /** 0–1: a section that is ahead by a larger share of its score stays ahead. Default 0.1. */
  weight?: number | undefined
}

/** Of the small Universal Sentence Encoder, more made results worse: `docs/decisions.md`. */
const defaultWeight = 0.1
/** In characters; the beginning tells what a section is about. */
const maxTextLength = 1_000

/**
 * Sections found by words, ranked by an external model as well. Vectors are stored in the index of
 * their section. Without an answer of the model in time, the order stays.
 */
export async function rankByMeaning(
  ranked: readonly RankedSection[],
  query: string,
  indexOf: (section: RankedSection) => SearchIndex | undefined,
  { meaning, model, weight = defaultWeight }: MeaningOptions,
  signal: AbortSignal | undefined,
): Promise<readonly RankedSection[]> {
  const owners = new Map<string, SearchIndex | undefined>()
  const texts = ranked.map((section): MeaningText => {
    const { pageTitle, path, title, text } = section.item
    const whole = `${[pageTitle, ...path, title].join(' › ')}\n${text}`.slice(0, maxTextLength)
    const key = `vector ${createHash('sha256').update(`${model}\0${whole}`).digest('base64url')}`
    owners.set(key, indexOf(section))
    return { key, text: whole }
  })
  const similarities = await meaning.similarities(query, texts, storeIn(owners), signal)
  if (!similarities) return ranked
  const scores = withMeaning(
    ranked.map(({ score }) => score),
    similarities,
    weight,
  )
  return ranked
    .map((section, at) => Object.assign(section, { score: scores[at] }))
    .sort((a, b) => b.score - a.score)
}

/** Keeps each vector as a state of the index that owns its text. */
const storeIn = (owners: ReadonlyMap<string, SearchIndex | undefined>): VectorStore => ({
  async read(keys) {
    const texts = await Promise.all(keys.map((key) => owners.get(key)?.state(key)))
    return texts.flatMap((text, at) => {
      const key = keys[at]
      return key && text ? [[key, Float32Array.from(JSON.parse(text))] as const] : []
    })
  },
  async write(vectors) {
    // A pack cannot be written: its vectors are computed again by the next process.
    for (const [key, vector] of vectors) {
      const rounded = Array.from(vector, (value) => Math.round(value * 1e4) / 1e4)
      await owners
        .get(key)
        ?.setState(key, JSON.stringify(rounded))
        .catch(() => {})
    }
  },
})

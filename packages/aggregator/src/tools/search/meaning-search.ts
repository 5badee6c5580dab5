import { createHash } from 'node:crypto'
import type { Offer } from '../../catalog/offers.ts'
import type { View } from '../../catalog/view.ts'
import type { VectorStore } from './vector-store.ts'

/** Makes a vector of each text. Rejects with a reason that can be logged. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>

/** Finds tools by what they mean, with someone else's model. */
export interface MeaningSearch {
  /** Best first; nothing while there are no vectors, and where there is no model. Never rejects. */
  find(query: string, view: View, signal: AbortSignal): Promise<Offer[] | undefined>
}

export interface MeaningOptions {
  embed: Embed
  /** Vectors of one model are not those of another. */
  model: string
  store: VectorStore
  onLog: (text: string) => void
  now?: () => number
}

/** A question may not wait longer for the model than a model would for us. */
const queryTimeoutMs = 2_000
const buildTimeoutMs = 60_000
const textsAtOnce = 64
/** A model that failed is left alone for a while. */
const pauseMs = 60_000
const longestText = 2_000

export function createMeaningSearch(options: MeaningOptions): MeaningSearch {
  const { embed, model, store, onLog, now = () => performance.now() } = options
  let isTold = false
  let retryAt = Number.NEGATIVE_INFINITY
  const vectors = new Map<string, Float32Array>()
  let building: Promise<void> | undefined

  function failed(error: unknown): void {
    retryAt = now() + pauseMs
    if (!isTold)
      onLog(
        `embeddings of ${model}: ${error instanceof Error ? error.message : String(error)}. Tools are searched by their words until it answers.`,
      )
    isTold = true
  }

  /** What was made in an earlier process is read; the rest is made, while searches go by words. */
  async function build(view: View): Promise<void> {
    const texts = new Map(view.tools.map((offer) => [keyOf(offer, model), textOf(offer)] as const))
    const missing = [...texts.keys()].filter((key) => !vectors.has(key))
    for (const [key, vector] of await store.read(missing)) vectors.set(key, vector)
    const toMake = missing.filter((key) => !vectors.has(key))
    for (let at = 0; at < toMake.length; at += textsAtOnce) {
      const keys = toMake.slice(at, at + textsAtOnce)
      const signal = AbortSignal.timeout(buildTimeoutMs)
      const made = await embed(
        keys.map((key) => texts.get(key) ?? ''),
        signal,
      )
      const pairs = keys.flatMap((key, index) => {
        const vector = made[index]
        return vector ? [[key, unit(vector)] as const] : []
      })
      for (const [key, vector] of pairs) vectors.set(key, vector)
      await store.write(pairs)
    }
  }

  return {
    async find(query, view, signal) {
      if (now() < retryAt) return undefined
      const isMissing = view.tools.some((offer) => !vectors.has(keyOf(offer, model)))
      if (isMissing) {
        building ??= build(view)
          .catch(failed)
          .finally(() => {
            building = undefined
          })
        // What is kept on disk is there in a moment.
        await Promise.race([building, pause(queryTimeoutMs / 4)])
        if (vectors.size === 0) return undefined
      }
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(queryTimeoutMs)])
        const [asked] = await embed([query.slice(0, longestText)], limited)
        if (asked === undefined) return undefined
        isTold = false
        return nearest(unit(asked), view, vectors, model)
      } catch (error) {
        if (!signal.aborted) failed(error)
        return undefined
      }
    },
  }
}

function nearest(
  asked: Float32Array,
  view: View,
  vectors: ReadonlyMap<string, Float32Array>,
  model: string,
): Offer[] {
  return view.tools
    .flatMap((offer) => {
      const vector = vectors.get(keyOf(offer, model))
      return vector?.length === asked.length ? [{ offer, score: dot(asked, vector) }] : []
    })
    .sort((one, other) => other.score - one.score)
    .map(({ offer }) => offer)
}

const textOf = ({ server, name, definition }: Offer): string =>
  `${server.name} ${name}: ${definition['title'] ?? ''} ${definition['description'] ?? ''}`.slice(
    0,
    longestText,
  )

const keys = new WeakMap<Offer, string>()

function keyOf(offer: Offer, model: string): string {
  let key = keys.get(offer)
  if (key === undefined) {
    key = createHash('sha256')
      .update(`${model}\0${textOf(offer)}`)
      .digest('hex')
      .slice(0, 32)
    keys.set(offer, key)
  }
  return key
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / length)
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** Returns a vector for each text. Rejects with a reason that can be logged. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>

/** Stores vectors by the keys of their texts. Those that cannot be read are computed again. */
export interface VectorStore {
  read(keys: readonly string[]): Promise<Iterable<readonly [string, Float32Array]>>
  write(vectors: Iterable<readonly [string, Float32Array]>): Promise<void>
}

/** A text to compare with queries. Its key tells it, and the model, from others. */
export interface MeaningText {
  key: string
  text: string
}

/** Compares texts with queries by the embeddings of an external model. */
export interface Meaning {
  /**
   * For each text, the cosine of the angle between its vector and that of the query; undefined for a
   * text that has no vector yet. Undefined while the model cannot be used. Never rejects.
   */
  similarities(
    query: string,
    texts: readonly MeaningText[],
    store: VectorStore,
    signal?: AbortSignal,
  ): Promise<(number | undefined)[] | undefined>
}

/** A model, and what hears of its failures. */
export interface MeaningOptions {
  embed: Embed
  /** Name of the model, for messages. */
  model: string
  /** Called once when the model fails, and again after it has answered in between. */
  onLog: (text: string) => void
  now?: () => number
}

/** Time that a search waits for the vector of its query, and for those of texts. */
const queryTimeoutMs = 2_000
const textsTimeoutMs = 500
const buildTimeoutMs = 60_000
const textsAtOnce = 64
/** The model is not called again for this long after a failure. */
const pauseMs = 60_000
const maxTextLength = 2_000
/** Vectors in memory; more are read from the store again. */
const maxVectors = 20_000

/** Texts are embedded once and stored, in the background if it takes long. */
export function createMeaning({
  embed,
  model,
  onLog,
  now = () => performance.now(),
}: MeaningOptions): Meaning {
  const vectors = new Map<string, Float32Array>()
  let building: Promise<void> | undefined
  let isLogged = false
  let retryAt = Number.NEGATIVE_INFINITY

  function failed(error: unknown): void {
    retryAt = now() + pauseMs
    if (!isLogged)
      onLog(
        `The embeddings of ${model} cannot be used: ${error instanceof Error ? error.message : String(error)}. Only words are searched until the model answers.`,
      )
    isLogged = true
  }

  async function build(texts: readonly MeaningText[], store: VectorStore): Promise<void> {
    if (vectors.size > maxVectors) vectors.clear()
    const missing = new Map(texts.map(({ key, text }) => [key, text]))
    for (const [key, vector] of await store.read([...missing.keys()])) vectors.set(key, vector)
    const absent = [...missing].filter(([key]) => !vectors.has(key))
    for (let at = 0; at < absent.length; at += textsAtOnce) {
      const some = absent.slice(at, at + textsAtOnce)
      const made = await embed(
        some.map(([, text]) => text.slice(0, maxTextLength)),
        AbortSignal.timeout(buildTimeoutMs),
      )
      const pairs = some.flatMap(([key], one) => {
        const vector = made[one]
        return vector ? [[key, unit(vector)] as const] : []
      })
      for (const [key, vector] of pairs) vectors.set(key, vector)
      await store.write(pairs)
    }
  }

  return {
    async similarities(query, texts, store, signal) {
      if (now() < retryAt) return undefined
      const missing = texts.filter(({ key }) => !vectors.has(key))
      if (missing.length > 0) {
        building ??= build(missing, store)
          .catch(failed)
          .finally(() => {
            building = undefined
          })
        // Stored vectors are available within a moment.
        await Promise.race([building, delay(textsTimeoutMs)])
      }
      if (!texts.some(({ key }) => vectors.has(key))) return undefined
      try {
        const timeout = AbortSignal.timeout(queryTimeoutMs)
        const [vector] = await embed(
          [query.slice(0, maxTextLength)],
          signal ? AbortSignal.any([signal, timeout]) : timeout,
        )
        if (vector === undefined) return undefined
        isLogged = false
        const requested = unit(vector)
        return texts.map(({ key }) => {
          const known = vectors.get(key)
          return known?.length === requested.length ? dot(requested, known) : undefined
        })
      } catch (error) {
        if (!signal?.aborted) failed(error)
        return undefined
      }
    },
  }
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

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms) as { unref?: () => void } | number
    if (typeof timer === 'object') timer.unref?.()
  })
}

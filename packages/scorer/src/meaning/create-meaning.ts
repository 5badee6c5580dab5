/** A model behind OpenAI's embeddings API, such as that of Ollama, vLLM or LM Studio. */
export interface EmbeddingModel {
  /** With or without `/embeddings`: `http://localhost:11434/v1`. */
  url: string
  model: string
  apiKey?: string | undefined
  /** 0–1: a text that is ahead by a larger share of its score stays ahead. Default 0.1. */
  weight?: number | undefined
}

/** A text. Its key tells it, and the model, from others. */
interface MeaningText {
  key: string
  text: string
  /** Keeps the vector of the text, as JSON. */
  store?: VectorStore | undefined
}

interface VectorStore {
  state(key: string): Promise<string | undefined>
  setState(key: string, text: string): Promise<void>
}

/** Ranks what words have found, documents or tools, by the embeddings of an external model. */
export interface Meaning {
  readonly model: string
  /**
   * Similarities to the query, -1 to 1; undefined for a text without a vector yet, and instead of
   * all while the model cannot be used. Never rejects.
   */
  similarities(
    query: string,
    texts: readonly MeaningText[],
    signal?: AbortSignal,
  ): Promise<(number | undefined)[] | undefined>
  /**
   * The scores, raised by similarities: that of the most similar item by the share `weight`, of the
   * least similar one not at all, of one without a vector as that of the average.
   */
  raise(scores: readonly number[], similarities: readonly (number | undefined)[]): number[]
}

/** Of the small Universal Sentence Encoder, more made results worse: `docs/decisions.md`. */
const defaultWeight = 0.1
/** Time that a search waits for the vector of its query, and for those of texts. */
const queryTimeoutMs = 2_000
const textsTimeoutMs = 500
const buildTimeoutMs = 60_000
const textsAtOnce = 64
/** The model is not called again for this long after a failure. */
const pauseMs = 60_000
/** In characters; the beginning tells what a text is about. */
const maxTextLength = 2_000
/** Vectors in memory; more are read from the store again. */
const maxVectors = 20_000
const maxBytes = 64 * 1024 * 1024

/**
 * Texts are embedded once and stored, in the background if it takes long. `onLog` is called once
 * when the model fails, and again after it has answered in between.
 */
export function createMeaning(endpoint: EmbeddingModel, onLog: (text: string) => void): Meaning {
  const { model, weight = defaultWeight } = endpoint
  const vectors = new Map<string, Float32Array>()
  let building: Promise<void> | undefined
  let isLogged = false
  let retryAt = Number.NEGATIVE_INFINITY

  function failed(error: unknown): void {
    retryAt = performance.now() + pauseMs
    if (!isLogged)
      onLog(
        `The embeddings of ${model} cannot be used: ${error instanceof Error ? error.message : String(error)}. Only words are searched until the model answers.`,
      )
    isLogged = true
  }

  async function build(items: readonly MeaningText[]): Promise<void> {
    if (vectors.size > maxVectors) vectors.clear()
    const missing = [...new Map(items.map((item) => [item.key, item])).values()]
    const storedVectors = await Promise.all(missing.map(({ key, store }) => store?.state(key)))
    for (const [at, { key }] of missing.entries())
      if (storedVectors[at]) vectors.set(key, Float32Array.from(JSON.parse(storedVectors[at])))
    const absent = missing.filter(({ key }) => !vectors.has(key))
    for (let at = 0; at < absent.length; at += textsAtOnce) {
      const some = absent.slice(at, at + textsAtOnce)
      const texts = some.map(({ text }) => text)
      const made = await embed(endpoint, texts, AbortSignal.timeout(buildTimeoutMs))
      for (const [index, { key }] of some.entries()) vectors.set(key, made[index] as Float32Array)
      for (const [index, { key, store }] of some.entries()) {
        const rounded = Array.from(made[index] ?? [], (value) => Math.round(value * 1e4) / 1e4)
        // What cannot be written, as into a pack, is computed again by the next process.
        await store?.setState(key, JSON.stringify(rounded)).catch(() => {})
      }
    }
  }

  const similarities: Meaning['similarities'] = async (query, items, signal) => {
    if (performance.now() < retryAt) return undefined
    const missing = items.filter(({ key }) => !vectors.has(key))
    if (missing.length > 0) {
      building ??= build(missing)
        .catch(failed)
        .finally(() => {
          building = undefined
        })
      // Stored vectors are available within a moment.
      await Promise.race([building, delay(textsTimeoutMs)])
      if (performance.now() < retryAt) return undefined
    }
    if (!items.some(({ key }) => vectors.has(key))) return items.map(() => undefined)
    try {
      // A timer keeps its signal, unlike `AbortSignal.timeout`, which Node 20 may collect.
      const late = new AbortController()
      setTimeout(() => late.abort(), queryTimeoutMs).unref()
      const ends = signal ? AbortSignal.any([signal, late.signal]) : late.signal
      const [requested = new Float32Array()] = await embed(endpoint, [query], ends)
      isLogged = false
      return items.map(({ key }) => {
        const vector = vectors.get(key)
        return vector?.length === requested.length ? dot(requested, vector) : undefined
      })
    } catch (error) {
      if (!signal?.aborted) failed(error)
      return undefined
    }
  }

  return {
    model,
    similarities,
    raise: (scores, similar) => raised(scores, similar, weight),
  }
}

function raised(
  scores: readonly number[],
  similarities: readonly (number | undefined)[],
  weight: number,
): number[] {
  const values = similarities.filter((value) => value !== undefined)
  const least = Math.min(...values)
  const range = Math.max(...values) - least || 1
  const average = values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
  return scores.map((score, at) => {
    const raise = values.length > 0 ? ((similarities[at] ?? average) - least) / range : 0
    return score * (1 + weight * raise)
  })
}

/** A vector of length 1 for each text. @throws with a reason that can be logged. */
async function embed(
  { url, model, apiKey }: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const address = /\/embeddings\/?$/.test(url) ? url : `${url.replace(/\/$/, '')}/embeddings`
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, input: texts.map((text) => text.slice(0, maxTextLength)) }),
    redirect: 'error',
    signal,
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`${new URL(address).host} answered with status ${response.status}`)
  }
  const body: unknown = JSON.parse(await textOf(response))
  const { data } = (body ?? {}) as { data?: { index?: number; embedding: number[] }[] }
  if (!Array.isArray(data) || data.length !== texts.length)
    throw new Error(`${new URL(address).host} did not return a vector for each text`)
  return data
    .sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
    .map(({ embedding }) => {
      const vector = Float32Array.from(embedding)
      const length = Math.sqrt(dot(vector, vector)) || 1
      return vector.map((value) => value / length)
    })
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).length
    if (bytes > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`)
    text += decoder.decode(part as Uint8Array, { stream: true })
  }
  return text + decoder.decode()
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** Does not keep the process running. */
const delay = (ms: number): Promise<unknown> =>
  new Promise((resolve) => AbortSignal.timeout(ms).addEventListener('abort', resolve))

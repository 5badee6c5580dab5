import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CatalogTool } from '../../catalog/catalog-tools.ts'
import type { ToolView } from '../../catalog/tool-view.ts'
import type { VectorStore } from './vector-store.ts'

/** Returns a vector for each text. Rejects with a reason that can be logged. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>

/** Finds tools by embeddings of an external model. */
export interface MeaningSearch {
  /**
   * Best first; undefined while there are no vectors or the model cannot be used. Never rejects.
   */
  find(query: string, view: ToolView, signal: AbortSignal): Promise<CatalogTool[] | undefined>
}

export interface MeaningOptions {
  embed: Embed
  /** Vectors of different models cannot be compared. */
  model: string
  store: VectorStore
  onLog: (text: string) => void
  now?: () => number
}

/** Maximum time that a search waits for the model. */
const queryTimeoutMs = 2_000
const buildTimeoutMs = 60_000
const textsAtOnce = 64
/** The model is not called again for this long after a failure. */
const pauseMs = 60_000
const maxTextLength = 2_000

/** Ranks tools by embeddings. Texts are embedded once and stored; errors are logged, not thrown. */
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
        `The embeddings of ${model} cannot be used: ${error instanceof Error ? error.message : String(error)}. Tools are searched by words until the model answers.`,
      )
    isTold = true
  }

  /** Reads stored vectors and computes the missing ones; searches use words until then. */
  async function build(view: ToolView): Promise<void> {
    const texts = new Map(view.tools.map((tool) => [keyOf(tool, model), textOf(tool)] as const))
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
      const isMissing = view.tools.some((tool) => !vectors.has(keyOf(tool, model)))
      if (isMissing) {
        building ??= build(view)
          .catch(failed)
          .finally(() => {
            building = undefined
          })
        // Stored vectors are available within a moment.
        await Promise.race([building, pause(queryTimeoutMs / 4, undefined, { ref: false })])
        if (vectors.size === 0) return undefined
      }
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(queryTimeoutMs)])
        const [requested] = await embed([query.slice(0, maxTextLength)], limited)
        if (requested === undefined) return undefined
        isTold = false
        return nearest(unit(requested), view, vectors, model)
      } catch (error) {
        if (!signal.aborted) failed(error)
        return undefined
      }
    },
  }
}

function nearest(
  requested: Float32Array,
  view: ToolView,
  vectors: ReadonlyMap<string, Float32Array>,
  model: string,
): CatalogTool[] {
  return view.tools
    .flatMap((tool) => {
      const vector = vectors.get(keyOf(tool, model))
      return vector?.length === requested.length ? [{ tool, score: dot(requested, vector) }] : []
    })
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool)
}

const textOf = ({ server, name, definition }: CatalogTool): string =>
  `${server.name} ${name}: ${definition['title'] ?? ''} ${definition['description'] ?? ''}`.slice(
    0,
    maxTextLength,
  )

const keys = new WeakMap<CatalogTool, string>()

function keyOf(tool: CatalogTool, model: string): string {
  let key = keys.get(tool)
  if (key === undefined) {
    key = createHash('sha256')
      .update(`${model}\0${textOf(tool)}`)
      .digest('hex')
      .slice(0, 32)
    keys.set(tool, key)
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

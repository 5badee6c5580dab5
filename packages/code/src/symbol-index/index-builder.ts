import type { Tinypool } from 'tinypool'
import { startWorker } from '#base/start-worker'
import type { IndexBatch } from './index-files.ts'

/** Limits that workers keep. */
export type IndexLimits = Pick<
  IndexBatch,
  'database' | 'maxFileBytes' | 'maxParseBytes' | 'parseTimeoutMs'
>

/** The next files, or the first of a pass over a listing that is new, or may be reused. */
export type NextBatch = (
  first?: 'list' | 'reuse',
) => Promise<
  | (Pick<IndexBatch, 'files' | 'formerIds' | 'hasLong'> & { left: number; total: number })
  | undefined
>

/** Called at first, and after each batch, with how many files are done. */
export type OnIndexed = (done: number, total: number) => void

const workers = 2
/** Milliseconds for which idle workers wait for files. */
const ttlMs = 2_000
/** Milliseconds after which what had just changed is indexed. */
const restMs = 3_000

/** The workers run compiled files only; from the sources, files are indexed in this thread. */
const isBuilt = import.meta.url.endsWith('.js')

/** Indexes files in the background, in batches by two workers. */
export function createIndexBuilder(limits: IndexLimits, nextBatch: NextBatch) {
  /** Not 0 once workers are to leave what they have begun. */
  const stop = new Int32Array(new SharedArrayBuffer(4))
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let onIndexed: OnIndexed | undefined
  let done = 0

  return {
    fill: (first: 'list' | 'reuse', onProgress?: OnIndexed): Promise<void> => {
      onIndexed = onProgress ?? onIndexed
      return fill(first)
    },
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      // Ended within a call of SQLite, a worker would take the process with it.
      Atomics.store(stop, 0, 1)
      await running
    },
  }

  /** Index what is not indexed as it is now, unless that is under way. Never fails. */
  function fill(first: 'list' | 'reuse'): Promise<void> {
    if (isClosed) return Promise.resolve()
    clearTimeout(timer)
    running ??= pass(first).finally(() => {
      running = undefined
    })
    return running
  }

  async function pass(listing: 'list' | 'reuse'): Promise<void> {
    const first = await nextBatch(listing).catch(() => undefined)
    if (!first) return
    done = first.total - first.left
    onIndexed?.(done, first.total)
    await Promise.all(
      Array.from({ length: workers }, (_, at) => work(at === 0 ? first : undefined)),
    )
    if (isClosed) return
    timer = setTimeout(() => void fill('list'), restMs)
    timer.unref()
  }

  async function work(first: Awaited<ReturnType<NextBatch>>): Promise<void> {
    let indexer: Tinypool | undefined
    try {
      for (let batch = first ?? (await nextBatch()); batch && !isClosed; ) {
        if (isBuilt) {
          indexer ??= startIndexer()
          await indexer.run({ ...limits, ...batch, stop })
          // A grammar does not release its memory.
          if (batch.hasLong) {
            await indexer.destroy()
            indexer = undefined
          }
        } else await (await import('./index-files.ts')).default({ ...limits, ...batch, stop })
        done += batch.files.length
        onIndexed?.(done, batch.total)
        batch = await nextBatch()
      }
    } catch {
      // What is not indexed is searched as bytes.
    }
    await indexer?.destroy()
  }
}

const startIndexer = (): Tinypool =>
  startWorker(new URL('./index-files.js', import.meta.url), {
    idleTimeout: ttlMs,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })

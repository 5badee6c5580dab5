import type { CleanOptions, Page } from '@pith-mcp/cleaner'
import pLimit from 'p-limit'
import type { Tinypool } from 'tinypool'
import { startWorker } from '#base/start-worker'
import type { Format } from '../formats/format.ts'
import { DocsError, quoteValue } from '../protocol/docs-error.ts'
import clean, { type WorkerCleaning } from './clean-worker.ts'
import { processorTimeout } from './processor-timeout.ts'

interface Cleaning {
  text: string
  format: Format
  url: string
}

/** Of processor time; the thread of the server may have used a part of it. */
const maxCleanMs = 30_000
/** Milliseconds for which an idle worker waits for the next page. */
const cacheMs = 10_000

/** The worker runs compiled files only; from the sources, pages are cleaned in this thread. */
const isBuilt = import.meta.url.endsWith('.js')

export class CleanPool {
  #pool: Tinypool | undefined
  /** How HTML is parsed; the cleaner's own default unless it is given. */
  readonly parser: CleanOptions['parser']
  readonly #oneByOne = pLimit(1)

  constructor(parser?: CleanOptions['parser']) {
    this.parser = parser
  }

  /**
   * Clean a text. A long one is cleaned in a worker thread, with a time limit; past it, it is cleaned
   * once more after the others that wait, when it has the processor for itself.
   */
  async clean({ text, format, url }: Cleaning): Promise<Page> {
    const cleaning = { text, format: format.name, url, ...(this.parser && { parser: this.parser }) }
    const isShort = text.length <= format.maxInlineLength
    // An idle worker is warm, and keeps this thread free.
    const isIdle = this.#pool !== undefined && this.#oneByOne.activeCount === 0
    if (!isBuilt || (isShort && !isIdle)) return clean(cleaning)
    const attempt = () => this.#oneByOne(() => this.#cleanInWorker(cleaning))
    const page = (await attempt()) ?? (await attempt())
    if (page) return page
    throw new DocsError(
      'too_large',
      `${quoteValue(url)} took more than ${maxCleanMs / 1000} s of processor time to clean, twice.`,
      'Read another page.',
    )
  }

  async close(): Promise<void> {
    const ended = this.#pool
    this.#pool = undefined
    await ended?.destroy()
  }

  /** Undefined past the time limit. */
  async #cleanInWorker(cleaning: WorkerCleaning): Promise<Page | undefined> {
    this.#pool ??= startWorker(new URL('./clean-worker.js', import.meta.url), {
      idleTimeout: cacheMs,
    })
    const { signal, clear } = processorTimeout(maxCleanMs)
    try {
      // The signal replaces the limit of the cleaner.
      return await this.#pool.run({ ...cleaning, maxTime: Number.POSITIVE_INFINITY }, { signal })
    } catch (error) {
      await this.close()
      if (!signal.aborted) throw error
      return undefined
    } finally {
      clear()
    }
  }
}

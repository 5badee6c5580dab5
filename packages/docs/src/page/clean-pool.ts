import type { CleanOptions, Page } from '@pith-mcp/cleaner'
import pLimit from 'p-limit'
import type { Tinypool } from 'tinypool'
import { processorTimeout } from '#base/processor-time'
import { startWorker } from '#base/start-worker'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { Format } from '#formats/format'
import clean, { type ReadFailure, type WorkerCleaning } from './clean-worker.ts'

interface Cleaning {
  text: string
  format: Format
  url: string
}

/** Of processor time; the thread of the server may have used a part of it. */
const maxCleanMs = 30_000
/** Bytes by which the process may grow meanwhile: what is compressed can inflate to any size. */
const maxMemory = 1.5 * 2 ** 30
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
    if (!isBuilt || (isShort && !isIdle)) return pageFrom(await clean(cleaning))
    const attempt = () => this.#oneByOne(() => this.#cleanInWorker(cleaning))
    const page = (await attempt()) ?? (await attempt())
    if (page) return pageFrom(page)
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
  async #cleanInWorker(cleaning: WorkerCleaning): Promise<Page | ReadFailure | undefined> {
    this.#pool ??= startWorker(new URL('./clean-worker.js', import.meta.url), {
      idleTimeout: cacheMs,
    })
    const before = process.memoryUsage.rss()
    let isTooLarge = false
    const isExceeded = () => {
      isTooLarge ||= process.memoryUsage.rss() - before > maxMemory
      return isTooLarge
    }
    const { signal, clear } = processorTimeout(maxCleanMs, undefined, isExceeded)
    try {
      // The signal replaces the limit of the cleaner.
      return await this.#pool.run({ ...cleaning, maxTime: Number.POSITIVE_INFINITY }, { signal })
    } catch (error) {
      await this.close()
      if (isTooLarge)
        throw new DocsError(
          'too_large',
          `${quoteValue(cleaning.url)} took more than ${maxMemory / 2 ** 30} GB of memory to clean.`,
          'Read another page.',
        )
      if (!signal.aborted) throw error
      return undefined
    } finally {
      clear()
    }
  }
}

function pageFrom(result: Page | ReadFailure): Page {
  if ('code' in result) throw new DocsError(result.code, result.message, result.remedy)
  return result
}

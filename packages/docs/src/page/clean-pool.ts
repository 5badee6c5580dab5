import type { CleanOptions, Page } from '@pith-mcp/cleaner'
import pLimit from 'p-limit'
import type { Tinypool } from 'tinypool'
import { startWorker } from '#base/start-worker'
import { DocsError, quoteValue } from '../protocol/docs-error.ts'
import type { PageFormat } from '../protocol/page-format.ts'
import clean, { type Cleaning } from './clean-worker.ts'
import { processorTimeout } from './processor-timeout.ts'

/**
 * Texts longer than this, in characters, are cleaned in a worker, so that the server stays
 * responsive. Markdown can take time quadratic in its length, and its parser has no limit.
 */
const maxInlineLength: Readonly<Record<PageFormat, number>> = { html: 2 ** 18, markdown: 2 ** 15 }
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
  async clean(asked: Cleaning): Promise<Page> {
    const cleaning = { ...asked, ...(this.parser && { parser: this.parser }) }
    const isShort = cleaning.text.length <= maxInlineLength[cleaning.format]
    // An idle worker is warm, and keeps this thread free.
    const isIdle = this.#pool !== undefined && this.#oneByOne.activeCount === 0
    if (!isBuilt || (isShort && !isIdle)) return clean(cleaning)
    const attempt = () => this.#oneByOne(() => this.#cleanInWorker(cleaning))
    const page = (await attempt()) ?? (await attempt())
    if (page) return page
    throw new DocsError(
      'too_large',
      `${quoteValue(cleaning.url)} took more than ${maxCleanMs / 1000} s of processor time to clean, twice.`,
      'Read another page.',
    )
  }

  async close(): Promise<void> {
    const ended = this.#pool
    this.#pool = undefined
    await ended?.destroy()
  }

  /** Undefined past the time limit. */
  async #cleanInWorker(cleaning: Cleaning): Promise<Page | undefined> {
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

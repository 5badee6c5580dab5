import type { Page } from '@pith-mcp/cleaner'
import { Tinypool } from 'tinypool'
import { DocsError } from '../common/docs-error.ts'
import type { PageFormat } from '../common/page-format.ts'
import { quoteValue } from '../common/quote-value.ts'
import clean, { type Cleaning } from './clean-worker.ts'

export interface ApartCleaner {
  /** The page of a text. A long one is cleaned by a thread of its own, and given up in time. */
  clean(cleaning: Cleaning): Promise<Page>
  close(): Promise<void>
}

/**
 * Texts longer than this, in characters, are cleaned apart: the server answers meanwhile. Markdown can
 * be made to take a time that grows with the square of its length, and its parser knows no bound.
 */
const longestHere: Readonly<Record<PageFormat, number>> = { html: 2 ** 18, markdown: 2 ** 15 }
const longestMs = 30_000
/** The thread is kept for the next page for so long. */
const keptMs = 10_000

/** A thread runs what was built: from the sources, pages are cleaned here. */
const isBuilt = import.meta.url.endsWith('.js')

export function createApartCleaner(): ApartCleaner {
  let pool: Tinypool | undefined
  let last: Promise<unknown> = Promise.resolve()

  return {
    async clean(cleaning) {
      if (!isBuilt || cleaning.text.length <= longestHere[cleaning.format]) return clean(cleaning)
      const result = last.then(() => cleanApart(cleaning))
      last = result.catch(() => {})
      return result
    },
    close: end,
  }

  async function cleanApart(cleaning: Cleaning): Promise<Page> {
    pool ??= startPool()
    const signal = AbortSignal.timeout(longestMs)
    try {
      return await pool.run(cleaning, { signal })
    } catch (error) {
      await end()
      throw signal.aborted ? tooLong(cleaning.url) : error
    }
  }

  async function end(): Promise<void> {
    const ended = pool
    pool = undefined
    await ended?.destroy()
  }
}

function startPool(): Tinypool {
  const filename = new URL('./clean-worker.js', import.meta.url).href
  const pool = new Tinypool({ filename, minThreads: 0, maxThreads: 1, idleTimeout: keptMs })
  // A thread that fails while nobody waits for it must not take the server with it.
  pool.on('error', () => {})
  return pool
}

function tooLong(url: string): DocsError {
  return new DocsError(
    'too_large',
    `${quoteValue(url)} took more than ${longestMs / 1000} s to be read.`,
    'Read another page.',
  )
}

import { Worker } from 'node:worker_threads'
import type { Page } from '@pith-mcp/cleaner'
import { DocsError } from '../docs-error.ts'
import { quoteValue } from '../quote-value.ts'
import { cleanPage, type PageFormat } from './page-format.ts'

export interface Cleaning {
  text: string
  format: PageFormat
  url: string
}

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
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  return {
    async clean(cleaning) {
      if (!isBuilt || cleaning.text.length <= longestHere[cleaning.format])
        return cleanPage(cleaning.text, cleaning.format, { url: cleaning.url })
      const result = last.then(() => cleanApart(cleaning))
      last = result.catch(() => {})
      return result
    },
    async close() {
      clearTimeout(idle)
      await worker?.terminate()
      worker = undefined
    },
  }

  function cleanApart(cleaning: Cleaning): Promise<Page> {
    clearTimeout(idle)
    worker ??= startThread()
    const thread = worker
    thread.ref()
    return new Promise<Page>((resolve, reject) => {
      const timer = setTimeout(() => lose(tooLong(cleaning.url)), longestMs)
      const onMessage = ({ page, message }: { page?: Page; message?: string }) => {
        settle()
        thread.unref()
        idle = setTimeout(end, keptMs, thread)
        idle.unref()
        if (page) resolve(page)
        else reject(new Error(message))
      }
      const onExit = () => lose(new Error('The thread ended.'))
      thread.on('message', onMessage)
      thread.on('error', lose)
      thread.on('exit', onExit)
      thread.postMessage(cleaning)

      function lose(error: Error): void {
        settle()
        end(thread)
        reject(error)
      }

      function settle(): void {
        clearTimeout(timer)
        thread.off('message', onMessage)
        thread.off('error', lose)
        thread.off('exit', onExit)
      }
    })
  }

  function end(thread: Worker): void {
    if (worker === thread) worker = undefined
    void thread.terminate()
  }
}

function startThread(): Worker {
  const thread = new Worker(new URL('./clean-worker.js', import.meta.url))
  // One that fails while nobody waits for it must not take the server with it.
  thread.on('error', () => {})
  return thread
}

function tooLong(url: string): DocsError {
  return new DocsError(
    'too_large',
    `${quoteValue(url)} took more than ${longestMs / 1000} s to be read.`,
    'Read another page.',
  )
}

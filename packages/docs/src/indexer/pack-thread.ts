import { Tinypool } from 'tinypool'
import { processorTimeout } from '#base/processor-time'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { PageStore } from '../page/cache/page-store.ts'
import type { SearchIndex } from '../search-index/search-index.ts'

/** A call of a method of a pack's index or of its pages. */
export interface PackCall {
  path: string
  part: 'index' | 'store'
  method: string
  args: readonly unknown[]
}

/** Milliseconds of processor time of a call; an answer takes some ten. */
const maxCallMs = 15_000

/** A pack that a thread of its own reads: a file of others may keep it busy, and it is then ended. */
export function packInThread(path: string): {
  index: SearchIndex
  store: PageStore
  close(): void
} {
  const filename = new URL('./pack-worker.js', import.meta.url).href
  const idleTimeout = Number.POSITIVE_INFINITY
  const pool = new Tinypool({ filename, minThreads: 1, maxThreads: 1, idleTimeout })
  pool.on('error', () => {})
  let hasFailed = false
  return {
    index: partOf<SearchIndex>('index'),
    store: partOf<PageStore>('store'),
    close: () => void pool.destroy(),
  }

  function partOf<Part extends object>(part: PackCall['part']): Part {
    return new Proxy({} as Part, {
      // A promise would have a `then`.
      get: (_, method) =>
        typeof method === 'string' && method !== 'then' ? ask(part, method) : undefined,
    })
  }

  function ask(part: PackCall['part'], method: string) {
    return async (...args: unknown[]): Promise<unknown> => {
      if (hasFailed) throw tooLong()
      const { signal, clear } = processorTimeout(maxCallMs)
      try {
        return await pool.run({ path, part, method, args } satisfies PackCall, { signal })
      } catch (error) {
        hasFailed = signal.aborted
        throw hasFailed ? tooLong() : error
      } finally {
        clear()
      }
    }
  }

  function tooLong(): DocsError {
    return new DocsError(
      'too_large',
      `${quoteValue(path)} took more than ${maxCallMs / 1000} s of processor time for one answer, and is read no more.`,
      'Write the pack again from its sources.',
    )
  }
}

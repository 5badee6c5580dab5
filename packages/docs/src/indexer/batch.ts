import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IndexedPage } from '../search-index/search-index.ts'

/** A transaction contains at most this many pages and characters of text. */
const maxPages = 32
const maxCharacters = 2 ** 20
/** Milliseconds until pages are written, so that those of a slow site become searchable soon. */
const maxWaitMs = 2_000

export interface Batch {
  add(page: IndexedPage): Promise<void>
  flush(): Promise<void>
}

/** Writes pages in batches: a transaction for each page would take longer than reading it. */
export function createBatch(write: (pages: IndexedPage[]) => Promise<void>): Batch {
  let pages: IndexedPage[] = []
  let characters = 0
  let since = performance.now()

  return {
    async add(page) {
      pages.push(page)
      for (const { text } of page.sections) characters += text.length
      const isDue = performance.now() - since >= maxWaitMs
      if (isDue || pages.length >= maxPages || characters >= maxCharacters) await flush()
    },
    flush,
  }

  async function flush(): Promise<void> {
    const ready = pages
    pages = []
    characters = 0
    since = performance.now()
    if (ready.length === 0) return
    await write(ready)
    // Writing blocks the event loop; let other requests run between batches.
    await nextTurn()
  }
}

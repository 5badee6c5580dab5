import type { IndexedPage } from '../search-index/search-index.ts'

/** Pages and characters of text that are written at once. */
const mostPages = 32
const mostCharacters = 2 ** 20
/** What was read is to be found soon, however slow the site. */
const longestWaitMs = 2_000

export interface Batch {
  add(page: IndexedPage): Promise<void>
  flush(): Promise<void>
}

/** Pages are entered some at a time: a transaction for each would take longer than reading it. */
export function createBatch(write: (pages: IndexedPage[]) => Promise<void>): Batch {
  let pages: IndexedPage[] = []
  let characters = 0
  let since = performance.now()

  return {
    async add(page) {
      pages.push(page)
      for (const { text } of page.sections) characters += text.length
      const isDue = performance.now() - since >= longestWaitMs
      if (isDue || pages.length >= mostPages || characters >= mostCharacters) await flush()
    },
    flush,
  }

  async function flush(): Promise<void> {
    const ready = pages
    pages = []
    characters = 0
    since = performance.now()
    if (ready.length > 0) await write(ready)
  }
}

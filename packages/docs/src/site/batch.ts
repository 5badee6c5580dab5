import type { IndexedPage } from '../index/search-index.ts'

/** Pages and characters of text that are written at once. */
const mostPages = 32
const mostCharacters = 2 ** 20

export interface Batch {
  add(page: IndexedPage): Promise<void>
  flush(): Promise<void>
}

/** Pages are entered some at a time: a transaction for each would take longer than reading it. */
export function createBatch(write: (pages: IndexedPage[]) => Promise<void>): Batch {
  let pages: IndexedPage[] = []
  let characters = 0

  return {
    async add(page) {
      pages.push(page)
      for (const { text } of page.sections) characters += text.length
      if (pages.length >= mostPages || characters >= mostCharacters) await flush()
    },
    flush,
  }

  async function flush(): Promise<void> {
    const ready = pages
    pages = []
    characters = 0
    if (ready.length > 0) await write(ready)
  }
}

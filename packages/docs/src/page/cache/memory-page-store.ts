import { LRUCache } from 'lru-cache'
import type { Note, PageStore, StoredPage } from './page-store.ts'

/** Page cache in memory, used without SQLite or without a cache folder. */
export function createMemoryPageStore(maxPages = 200): PageStore {
  const pages = new LRUCache<string, StoredPage>({ max: maxPages })
  const notes = new LRUCache<string, Note>({ max: 2_000 })
  return {
    async get(url) {
      return pages.get(url)
    },
    async put(page) {
      pages.set(page.url, page)
    },
    async remove(url) {
      pages.delete(url)
    },
    async note(key) {
      return notes.get(key)
    },
    async setNote(key, note) {
      notes.set(key, note)
    },
    close() {
      pages.clear()
    },
  }
}

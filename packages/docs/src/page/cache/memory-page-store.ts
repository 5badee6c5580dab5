import { LRUCache } from 'lru-cache'
import type { PageStore, SeenSections, StoredPage } from './page-store.ts'

/** Page cache in memory, used without SQLite or without a cache folder. */
export function createMemoryPageStore(maxPages = 200): PageStore {
  const pages = new LRUCache<string, StoredPage>({ max: maxPages })
  const seen = new LRUCache<string, SeenSections>({ max: 2_000 })
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
    async seen(url) {
      return seen.get(url)
    },
    async setSeen(url, sections) {
      seen.set(url, sections)
    },
    close() {
      pages.clear()
    },
  }
}

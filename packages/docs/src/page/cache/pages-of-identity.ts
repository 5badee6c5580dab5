import type { PageStore } from './page-store.ts'

/**
 * A store with the pages of one identity only: who has other cookies may read other pages at the
 * same URL. `identity` becomes the fragment, which URLs of stored pages do not have.
 */
export function pagesOfIdentity(store: PageStore, identity: () => Promise<string>): PageStore {
  const keyOf = async (url: string) => `${url}#${await identity()}`
  return {
    async get(url) {
      const page = await store.get(await keyOf(url))
      return page && { ...page, url }
    },
    put: async (page) => store.put({ ...page, url: await keyOf(page.url) }),
    remove: async (url) => store.remove(await keyOf(url)),
    note: (key) => store.note(key),
    setNote: (key, note) => store.setNote(key, note),
    close: () => store.close(),
  }
}

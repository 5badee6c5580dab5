import { cleanHtml } from '@pith-mcp/cleaner'
import { describe, expect, test } from 'vitest'
import type { PageStore, StoredPage } from '../src/page/cache/page-store.ts'

const pageAt = (url: string, text = 'Text.'): StoredPage => ({
  url,
  finalUrl: url,
  page: cleanHtml(`<main><h1>Title</h1><p>${text}</p></main>`, { url }),
  links: [{ rel: 'next', url: 'http://x/next', title: 'Next' }],
  source: 'html',
  fetchedAt: 5,
  policy: { v: 1 },
})

/** What every adapter of the port does. */
export const describePageStore = (
  name: string,
  create: (options?: { maxBytes: number }) => Promise<PageStore>,
  isBounded = true,
) =>
  describe(name, () => {
    test('gives back what was put, and nothing for what was not', async () => {
      const store = await create()
      await store.put(pageAt('http://x/a'))
      expect(await store.get('http://x/a')).toEqual(pageAt('http://x/a'))
      expect(await store.get('http://x/b')).toBeUndefined()
      await store.put({ ...pageAt('http://x/a'), fetchedAt: 6 })
      expect((await store.get('http://x/a'))?.fetchedAt).toBe(6)
      await store.remove('http://x/a')
      await store.remove('http://x/none')
      expect(await store.get('http://x/a')).toBeUndefined()
      store.close()
    })

    test('remembers what was seen of a page', async () => {
      const store = await create()
      expect(await store.note('http://x/a')).toBeUndefined()
      await store.setNote('http://x/a', { one: 'h1' })
      expect(await store.note('http://x/a')).toEqual({ one: 'h1' })
      store.close()
    })

    test.runIf(isBounded)('past its bound the pages that were not used longest go', async () => {
      const store = await create({ maxBytes: 40_000 })
      const random = () => Array.from({ length: 500 }, () => Math.random().toString(36)).join(' ')
      for (let at = 0; at < 101; at++) await store.put(pageAt(`http://x/${at}`, random()))
      expect(await store.get('http://x/0')).toBeUndefined()
      expect(await store.get('http://x/100')).toBeDefined()
      store.close()
    })
  })

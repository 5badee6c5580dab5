import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cleanHtml } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'

test('a cleaned page does not keep its HTML in memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const html = (page: number) =>
    `<h1 id="identifier-of-page-${page}">Title of page ${page}</h1><p>Text.<!--${'-'.repeat(1e6)}-->`
  collect()
  const before = process.memoryUsage().heapUsed
  const pages = Array.from({ length: 40 }, (_, page) => cleanHtml(html(page)))
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(15e6)
  expect(pages[39]?.sections[0]?.title).toBe('Title of page 39')
})

import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterEach, expect, test } from 'vitest'
import { html, type LoopbackSite, startSite } from './loopback-site.ts'

const page = (title: string, body: string): ReturnType<typeof html> =>
  html(`<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${body}</p></main>`)

let site: LoopbackSite
let docs: Docs | undefined

afterEach(async () => {
  await docs?.close()
  await site.close()
})

/** All pages of a site are read; their addresses without the host. */
async function crawl(pages: Parameters<typeof startSite>[0], source = '/'): Promise<string[]> {
  site = await startSite(pages)
  docs = await createDocs({ sources: [site.url + source], siteSearch: false })
  await docs.update()
  const read = await docs.pagesLike('', 2_000)
  return read.map(({ url }) => url.replace(site.url, '')).sort()
}

test('a query belongs to the address of a page if the linking page has the same path', async () => {
  const read = await crawl(
    {
      '/kb/': page(
        'Desk',
        '<a href="?topic=ropes">ropes</a> <a href="index.php?topic=knots">k</a>',
      ),
      '/kb/?topic=ropes': page(
        'Ropes',
        `<a href="?topic=ropes&sort=name">sorted</a> <a href="?topic=ropes&utm_source=x#a">shared</a>
         <a href="?topic=ropes&print=1">print</a> <a href="tides.html?theme=dark">tides</a>`,
      ),
      '/kb/index.php?topic=knots': page('Knots', 'Twelve of them.'),
      '/kb/tides.html': page('Tides', 'High and low. <a href="tides.html?lang=fr">fr</a>'),
    },
    '/kb/',
  )
  expect(read).toEqual(['/kb/', '/kb/?topic=ropes', '/kb/index.php?topic=knots', '/kb/tides.html'])
})

test('at most 500 pages of a source differ by their query only, and the others are reported', async () => {
  const links = Array.from({ length: 600 }, (_, at) => `<a href="?n=${at}">${at}</a>`).join(' ')
  site = await startSite({ '/': page('Numbers', links) })
  docs = await createDocs({ sources: [site.url], siteSearch: false })
  const [source] = await docs.update()
  expect(source).toMatchObject({ more: true })
  expect(site.requests.filter((path) => path.startsWith('/?n=')).length).toBe(500)
})

test.each([500, 503])('links are not followed while robots.txt answers %i', async (status) => {
  const read = await crawl({
    '/robots.txt': (_request, response) => response.writeHead(status).end(),
    '/': page('Harbour', '<a href="/piers.html">piers</a>'),
    '/piers.html': page('Piers', 'Four.'),
    '/sitemap.xml': html('<urlset></urlset>', 'application/xml'),
  })
  expect(read).toEqual(['/'])
  const { sources } = (await docs?.search('harbour')) ?? {}
  expect(sources?.[0]?.via).toContain('robots.txt')
})

test('a missing robots.txt forbids nothing', async () => {
  const read = await crawl({
    '/': page('Harbour', '<a href="/piers.html">piers</a>'),
    '/piers.html': page('Piers', 'Four.'),
  })
  expect(read).toEqual(['/', '/piers.html'])
})

test('the parts of a picture and of a frameset are links', async () => {
  const read = await crawl({
    '/': html(`<frameset cols="20%,80%"><frame src="menu.html"><frame name="text" src="text.html">
      <noframes>Use a browser with frames.</noframes></frameset>`),
    '/menu.html': page('Menu', '<map name="m"><area href="east.html" alt="East"></map>'),
    '/text.html': page('Welcome', 'To the atlas.'),
    '/east.html': page('East', 'Where the sun rises.'),
  })
  expect(read).toEqual(expect.arrayContaining(['/east.html', '/menu.html', '/text.html']))
})

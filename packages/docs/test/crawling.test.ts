import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterEach, expect, test } from 'vitest'
import type { HttpClient } from '../../fetch/src/http-client.ts'
import { Robots } from '../../fetch/src/robots.ts'
import { LinkFollower } from '../src/page-listing/follow-links.ts'
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

test('at most 500 pages of a source differ by their query only, and more are reported', async () => {
  const client = { request: () => Promise.reject(new Error('no robots.txt')) }
  const follower = new LinkFollower(new Robots(client as unknown as HttpClient))
  const page = 'https://desk.example.org/kb'
  const links = Array.from({ length: 600 }, (_, at) => ({
    rel: 'other' as const,
    url: `${page}?n=${at}`,
    title: '',
  }))
  const some = await follower.pagesOf(links.slice(0, 400), 'https://desk.example.org/', page)
  expect([some.allowed.length, some.more]).toEqual([400, false])
  const all = await follower.pagesOf(links, 'https://desk.example.org/', page)
  expect([all.allowed.length, all.more]).toEqual([500, true])
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

const steps = 'Tighten the bolts crosswise, and check them again after a day.'

test('a site whose scripts show Markdown is read by its README and its side bar', async () => {
  const read = await crawl(
    {
      '/m/': html(
        '<title>M</title><div id="app">Please wait</div><script src="docsify.js"></script>',
      ),
      '/m/README.md': html('# Motors\n\n[Bolts](bolts.md)', 'text/plain'),
      '/m/_sidebar.md': html(
        '* [Oil](/oil)\n* [Parts](parts/)\n* [Belts](#/belts)',
        'text/markdown',
      ),
      '/m/bolts.md': html(`# Bolts\n\n${steps}`, 'text/plain'),
      '/m/oil.md': html('# Oil\n\nTwo litres.', 'text/html'),
      '/m/belts.md': html('# Belts\n\nOne.', 'text/html'),
      '/m/parts/README.md': html('# Parts\n\nNone.', 'text/markdown'),
    },
    '/m/',
  )
  expect(read).toEqual(['/m/', '/m/belts.md', '/m/bolts.md', '/m/oil.md', '/m/parts/README.md'])
  expect((await docs?.search('crosswise'))?.hits[0]?.url).toContain('/m/bolts.md')
})

test('a page that scripts draw is no text, and the error names its data', async () => {
  site = await startSite({
    '/': html('<div id="app">Loading...</div><script>window.__APP__ = {"routes": ["/a"]}</script>'),
    '/vite': html('<head><script type="module" src="a.js"></script></head><body>Wait</body>'),
  })
  docs = await createDocs({ sources: [site.url], siteSearch: false })
  await expect(docs.content(`${site.url}/`)).rejects.toThrow(/drawn by scripts.* __APP__/)
  await expect(docs.content(`${site.url}/vite`)).rejects.toThrow('drawn by scripts')
  await expect(docs.search('loading')).rejects.toThrow('drawn by scripts')
})

test('a page of frames has the text of the documents in it', async () => {
  site = await startSite({
    '/': html(
      '<title>Atlas</title><frameset><frame src="menu.html"><frame src="main.html"></frameset>',
    ),
    '/menu.html': page('Menu', 'North, south, east and west.'),
    '/main.html': html('<html><body><iframe src="map.html"></iframe></body></html>'),
    '/map.html': page('Map', steps),
    '/loop.html': html('<iframe src="loop.html"></iframe>'),
    '/half.html': html('<frameset><frame src="map.html"><frame src="gone.html"></frameset>'),
  })
  docs = await createDocs({ sources: [site.url], siteSearch: false })
  const { markdown, origin } = await docs.content(`${site.url}/`)
  expect(markdown).toContain('North, south')
  expect(markdown).toContain(steps)
  expect(origin.textFrom).toBe('its frames')
  expect((await docs.content(`${site.url}/half.html`)).origin.textFrom).toContain('1 of 2 not read')
  await expect(docs.content(`${site.url}/loop.html`)).rejects.toThrow('has no text')
})

test('the reply tells from which place a text was read', async () => {
  site = await startSite({ '/': html(`<div></div><noscript><p>${steps}</p></noscript>`) })
  docs = await createDocs({ sources: [site.url], siteSearch: false })
  const { markdown, origin } = await docs.content(`${site.url}/`)
  expect(markdown).toBe(steps)
  expect(origin.textFrom).toBe('noscript')
})

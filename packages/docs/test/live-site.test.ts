import { createDocs } from '@pith-mcp/docs'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { html, type LoopbackSite, startSite } from './loopback-site.ts'

const page = (title: string, text: string) =>
  html(`<title>${title}</title><main><h1 id="top">${title}</h1><p>${text}</p></main>`)

let folder: string
let pages: Parameters<typeof startSite>[0]
let site: LoopbackSite

beforeEach(async () => {
  folder = temporaryFolder(onTestFinished)
  pages = {}
  site = await startSite(pages)
})
afterEach(() => site.close())

/** Pages named after animals and numbers, in a sitemap. */
function listPages(count: number): void {
  const paths = Array.from({ length: count }, (_, at) => `/animal-${at}.html`)
  paths.push('/stripes/zebra-coat.html')
  for (const path of paths) pages[path] = page('Animal', 'It eats.')
  pages['/stripes/zebra-coat.html'] = page('The coat', 'Zebra stripes are a coat for camouflage.')
  pages['/'] = page('Home', 'Welcome.')
  const urls = paths.map((path) => `<url><loc>${site.url}${path}</loc></url>`)
  pages['/sitemap.xml'] = html(`<urlset>${urls.join('')}</urlset>`, 'application/xml')
}
const source = () => `${site.url}/`

test('the first reply has the page that the question leads to, read before all others', async () => {
  listPages(300)
  const docs = await createDocs({ sources: [source()] })
  const { hits, sources } = await docs.search('zebra coat')
  expect(hits[0]).toMatchObject({ title: 'The coat', section: 'The coat' })
  expect(hits[0]?.excerpt).toContain('camouflage')
  expect(sources[0]?.isComplete).toBe(false)
  expect(sources[0]?.unread).toBeGreaterThan(200)
  expect(site.requests).toContain('/stripes/zebra-coat.html')
  await docs.close()
})

test('a new process goes on with what was listed, without listing or waiting', async () => {
  listPages(300)
  const options = { sources: [source()], cacheFolder: folder }
  const first = await createDocs(options)
  await first.search('zebra coat')
  await first.close()
  pages['/sitemap.xml'] = (_request, response) => response.writeHead(500).end()
  const second = await createDocs(options)
  const { hits, sources } = await second.search('zebra coat')
  expect(hits[0]?.excerpt).toContain('camouflage')
  expect(sources[0]).toMatchObject({ via: 'sitemap', isComplete: false })
  expect(site.requests.filter((path) => path === '/sitemap.xml')).toHaveLength(1)
  await second.close()
})

test('pages beyond the limit are listed, and read when a question leads to them', async () => {
  listPages(30)
  const docs = await createDocs({ sources: [source()], maxPages: 5 })
  const [status] = await docs.update()
  expect(status).toMatchObject({ pages: 5, unread: 27, more: true, isComplete: true })
  const { hits } = await docs.search('zebra coat')
  expect(hits[0]?.excerpt).toContain('camouflage')
  await docs.close()
})

test('a page that does not answer is a hit by its title, and does not hold up the others', async () => {
  listPages(3)
  pages['/stripes/zebra-coat.html'] = () => {}
  const docs = await createDocs({ sources: [source()], searchWaitMs: 300 })
  const { hits, sources } = await docs.search('zebra coat')
  expect(hits[0]).toMatchObject({ url: `${site.url}/stripes/zebra-coat.html`, excerpt: '' })
  expect(sources[0]).toMatchObject({ unread: expect.any(Number), isComplete: false })
  await docs.close()
})

test('pages that a list leaves out are found by the links of those that are read', async () => {
  listPages(2)
  pages['/animal-0.html'] = html(
    '<main><h1>Animal</h1><p>It eats.</p><a href="deep/okapi.html#x">A</a> <a href="index.html">Home</a> <a href="gone.html">B</a> <a href="_sources/a.txt">Source</a></main>',
  )
  pages['/deep/okapi.html'] = page('Okapi', 'A shy relative of the giraffe.')
  pages['/index.html'] = page('Home', 'Welcome.')
  const docs = await createDocs({ sources: [source()] })
  const [status] = await docs.update()
  expect(status).toMatchObject({ via: 'sitemap', pages: 5, failed: 0, unread: 0 })
  expect((await docs.search('giraffe')).hits[0]?.title).toBe('Okapi')
  expect(site.requests).not.toContain('/index.html')
  await docs.close()
})

test('a process that only searches keeps the date that the sitemap reported', async () => {
  const path = '/stripes/zebra-coat.html'
  listPages(0)
  const coat = pages[path] ?? (() => {})
  const url = `<url><loc>${site.url}${path}</loc><lastmod>2026-01-01</lastmod></url>`
  pages['/sitemap.xml'] = html(`<urlset>${url}</urlset>`, 'application/xml')
  pages[path] = () => {}
  const options = { sources: [source()], cacheFolder: folder, searchWaitMs: 300 }
  const lister = await createDocs(options)
  await lister.search('zebra coat')
  pages[path] = coat
  const reader = await createDocs({ ...options, searchWaitMs: 5_000 })
  const { hits } = await reader.search('zebra coat')
  expect(hits[0]?.excerpt).toContain('camouflage')
  await Promise.all([lister.close(), reader.close()])
  const next = await createDocs(options)
  await next.update()
  expect(site.requests.filter((one) => one === path)).toHaveLength(2)
  await next.close()
})

test('a typing error leads to the pages that are listed under the right word', async () => {
  listPages(300)
  const docs = await createDocs({ sources: [source()] })
  const { hits, repairs } = await docs.search('zebar coat')
  expect(repairs).toEqual([{ word: 'zebar', used: 'zebra' }])
  expect(hits[0]?.excerpt).toContain('camouflage')
  await docs.close()
})

test('a page in the requested language is read though its list names no language', async () => {
  listPages(40)
  for (const path of Object.keys(pages).filter((one) => one.startsWith('/animal')))
    pages[path] = html('<html lang="en"><main><h1>Zebra coat</h1><p>Zebra coat.</p></main></html>')
  pages['/stripes/zebra-coat.html'] = html(
    '<html lang="ja"><main><h1>シマウマ</h1><p>Zebra coat.</p></main></html>',
  )
  const docs = await createDocs({ sources: [source()] })
  const { hits, otherLanguages } = await docs.search('animal zebra', { language: 'ja' })
  expect(otherLanguages).toBeUndefined()
  expect(hits.map(({ title }) => title)).toEqual(['シマウマ'])
  await docs.close()
})

test('links to Markdown and to text files are followed', async () => {
  pages['/'] = html('<main><h1>Home</h1><a href="a.md">A</a> <a href="b.txt">B</a></main>')
  pages['/a.md'] = html('# Alpha\n\nLions. [More](deep/c.md)', 'text/markdown')
  pages['/b.txt'] = html('Zebras in plain text.', 'text/plain')
  pages['/deep/c.md'] = html('# Gamma\n\nTigers.', 'text/plain')
  const docs = await createDocs({ sources: [`${site.url}/`] })
  await docs.update()
  expect((await docs.search('zebras')).hits[0]?.url).toContain('/b.txt')
  expect((await docs.search('tigers')).hits[0]?.title).toBe('Gamma')
  await docs.close()
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocs, type IndexProgress } from '@pith-mcp/docs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { html, type LoopbackSite, startSite } from './loopback-site.ts'

const page = (title: string, text: string) =>
  html(`<title>${title}</title><main><h1 id="top">${title}</h1><p>${text}</p></main>`)

let folder: string
let pages: Parameters<typeof startSite>[0]
let site: LoopbackSite

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-test-'))
  pages = {}
  site = await startSite(pages)
})
afterEach(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

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

test('progress is reported at most twice a second, and at the end', async () => {
  listPages(30)
  const docs = await createDocs({ sources: [source()] })
  const reports: IndexProgress[] = []
  const started = performance.now()
  await docs.update({ onProgress: (progress) => reports.push(progress) })
  expect(reports.length).toBeLessThanOrEqual(2 + (performance.now() - started) / 500)
  expect(reports.at(-1)?.done).toBe(32)
  await docs.close()
})

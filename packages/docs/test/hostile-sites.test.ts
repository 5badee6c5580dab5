import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { createDocs } from '@pith-mcp/docs'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { html, type LoopbackSite, redirect, startSite } from './loopback-site.ts'
import { credentials } from './sites/algolia.ts'

const started: LoopbackSite[] = []
afterEach(async () => {
  for (const site of started.splice(0)) await site.close()
})

async function start(pages: Record<string, RequestListener>): Promise<LoopbackSite> {
  const site = await startSite(pages)
  started.push(site)
  return site
}

const json =
  (value: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

const manual = '<main><h1>Manual</h1><p>How to install it.</p></main>'
const algoliaAt = `<head><script>docsearch({${credentials}})</script></head>${manual}`
const query = '/1/indexes/my%20docs/query'
const record = (url: string, title: string) => ({
  url,
  type: 'content',
  content: `${title} text`,
  hierarchy: { lvl0: 'Docs', lvl1: title },
})

describe('a page that names another source of the operator', () => {
  const typesense = (url: string) => {
    const { hostname, port } = new URL(url)
    return `docsearch({typesenseCollectionName:'c',typesenseServerConfig:{nodes:[{host:'${hostname}',port:${port},protocol:'http',path:'/admin/delete?all='}],apiKey:'0123456789abcdef'}})`
  }

  test('does not get that asked, nor what is sent to it', async () => {
    const other = await start({ '/': html(manual) })
    const hostile = await start({
      '/': html(`<head><script>${typesense(other.url)}</script></head>${manual}`),
    })
    const docs = await createDocs({
      sources: [`${hostile.url}/`, `${other.url}/`],
      headers: { [new URL(other.url).host]: { authorization: 'secret' } },
    })
    expect((await docs.describe(`${hostile.url}/`)).site).toBeUndefined()
    await docs.search('install', { source: `${hostile.url}/` })
    expect(other.requests).toEqual([])
    await docs.close()
  })

  test('a question is not sent on to another host', async () => {
    const other = await start({ '/': html(manual), [query]: json({ hits: [], nbHits: 0 }) })
    const site = await start({
      '/': html(algoliaAt),
      [query]: (_request, response) =>
        response.writeHead(307, { location: other.url + query }).end(),
    })
    const docs = await createDocs({
      sources: [`${site.url}/`, `${other.url}/`],
      sites: { algolia: { url: site.url } },
    })
    const { hits, sources } = await docs.search('install', { source: `${site.url}/` })
    expect(sources[0]?.site?.problem).toContain('redirects the search to')
    expect(hits).toHaveLength(1)
    expect(other.requests).toEqual([])
    await docs.close()
  })
})

describe('an odd answer', () => {
  async function search(hits: unknown[], source = '/') {
    const site = await start({
      [source]: html(algoliaAt),
      '/docs/a': html('<main><h1 id="100%">A</h1><p>Install a.</p></main>'),
      [query]: json({ hits, nbHits: hits.length }),
    })
    const docs = await createDocs({
      sources: [site.url + source],
      sites: { algolia: { url: site.url } },
    })
    const answer = await docs.search('install')
    await docs.close()
    return { ...answer, base: site.url }
  }

  test('with a fragment that is none is an answer all the same', async () => {
    const { hits } = await search([{ ...record('/docs/a#100%', 'A'), content: null }])
    expect(hits[0]?.url).toMatch(/\/docs\/a#/)
  })

  test('whose addresses are of the site is read from the site, not from the service', async () => {
    const { hits, base } = await search([record('/docs/a', 'A')])
    expect(hits[0]?.url).toContain(`${base}/docs/a`)
  })

  test.for([
    [
      'pages of another host',
      [record('https://elsewhere.example/a', 'A')],
      /on other parts of the site/,
    ],
    ['no addresses', [{ ...record('', 'A'), url: null }], /has no page URLs/],
    ['no records', ['a', 'b'], /has hits of an unknown form/],
  ] as const)(
    'with %s is not taken, and the pages are searched instead',
    async ([, hits, problem]) => {
      const answer = await search([...hits])
      expect(answer.sources[0]?.site?.problem).toMatch(problem)
      expect(answer.hits.map(({ title }) => title)).toEqual(['Manual'])
    },
  )

  test('on other parts of the site only is searched for in the part that is meant', async () => {
    const { sources } = await search([record('/docs/a', 'A')], '/guide/')
    expect(sources[0]).toMatchObject({ via: 'links from page to page' })
  })
})

test('a finding on disk that cannot be read is looked for again', async () => {
  const cacheFolder = temporaryFolder(onTestFinished)
  const site = await start({ '/': html(algoliaAt), [query]: json({ hits: [], nbHits: 0 }) })
  const options = { sources: [`${site.url}/`], sites: { algolia: { url: site.url } }, cacheFolder }
  const first = await createDocs(options)
  await first.search('install')
  await first.close()
  const { readdir } = await import('node:fs/promises')
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const folder = join(cacheFolder, 'index')
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.sqlite')) continue
    const database = new DatabaseSync(join(folder, name))
    database.exec("UPDATE state SET value = '{\"name\":' WHERE key = 'site'")
    database.close()
  }
  const second = await createDocs(options)
  expect((await second.search('install')).sources[0]?.via).toBe('Algolia DocSearch')
  await second.close()
})

test('a script that cannot be read now says nothing of tomorrow', async () => {
  let isDown = true
  const site = await start({
    '/': html(
      `<head><link rel="preconnect" href="https://ABCDE12345-dsn.algolia.net"><script src="/assets/js/main.0a1b.js"></script></head>${manual}`,
    ),
    '/assets/js/main.0a1b.js': (_request, response) =>
      isDown ? response.writeHead(500).end() : response.writeHead(200).end(`a={${credentials}}`),
    [query]: json({ hits: [], nbHits: 0 }),
  })
  const docs = await createDocs({
    sources: [`${site.url}/`],
    sites: { algolia: { url: site.url } },
  })
  expect((await docs.describe(`${site.url}/`)).site).toBeUndefined()
  isDown = false
  expect((await docs.describe(`${site.url}/`)).site?.name).toBe('algolia')
  await docs.close()
})

test('those who ask at once look at the page and its scripts once', async () => {
  const site = await start({
    '/': html(
      `<head><link rel="preconnect" href="https://ABCDE12345-dsn.algolia.net"><script src="/assets/js/main.0a1b.js"></script></head>${manual}`,
    ),
    '/assets/js/main.0a1b.js': (_request, response) =>
      response.writeHead(200).end(`a={${credentials}}`),
    [query]: json({ hits: [], nbHits: 0 }),
    '/moved': redirect('/'),
  })
  const docs = await createDocs({
    sources: [`${site.url}/`],
    sites: { algolia: { url: site.url } },
  })
  await Promise.all(Array.from({ length: 12 }, () => docs.search('install')))
  expect(site.requests.filter((path) => path === '/')).toHaveLength(1)
  expect(site.requests.filter((path) => path.includes('main'))).toHaveLength(1)
  await docs.close()
})

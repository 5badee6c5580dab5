import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Service } from './sites/loopback-service.ts'
import { builds, snowflake } from './sites/snowflake.ts'

let service: Service
let docs: Docs
let source: string
const first = builds.current

beforeEach(async () => {
  service = await snowflake.start()
  source = `${service.url}/`
  docs = await createDocs({
    sources: [source],
    sites: { snowflake: { home: source } },
    limits: { perSecond: 1_000, timeoutMs: 2_000 },
  })
})

afterEach(async () => {
  builds.current = first
  await docs.close()
  await service.close()
})

const fronts = () => service.requests.filter(({ path }) => path === '/').length
const asked = () => service.questions().map(({ path }) => path)

test('the build id is read once, however many ask', async () => {
  await Promise.all(Array.from({ length: 8 }, () => docs.querySiteSearch(source, 'install')))
  await docs.querySiteSearch(source, 'upgrade')
  expect(fronts()).toBe(1)
})

test('an id that is not known any more is read again, once, and the question asked again', async () => {
  await docs.querySiteSearch(source, 'install')
  builds.current = 'next-build'
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => docs.querySiteSearch(source, 'install')),
  )
  for (const { hits, problem } of answers) {
    expect(problem).toBeUndefined()
    expect(hits[0]?.title).toBe('Install')
  }
  expect(fronts()).toBe(2)
})

test('a site that knows none of its own ids is not asked for them without end', async () => {
  builds.current = 'a'
  await docs.querySiteSearch(source, 'install')
  service.weather = 'fair'
  // The front names one build, the search knows another.
  const inner = Object.getOwnPropertyDescriptor(builds, 'current')
  let times = 0
  Object.defineProperty(builds, 'current', { configurable: true, get: () => `build-${times++}` })
  const { problem } = await docs.querySiteSearch(source, 'install')
  await docs.querySiteSearch(source, 'install')
  Object.defineProperty(builds, 'current', inner as PropertyDescriptor)
  expect(problem).toContain('status 404')
  expect(fronts()).toBeLessThanOrEqual(3)
})

test('Japanese is asked for in Japanese, whichever way the tag is written', async () => {
  for (const language of ['ja', 'ja-JP', 'JA']) {
    const { hits } = await docs.search('install', { language })
    expect(hits[0]?.url).toContain('/ja/guide/install')
  }
  expect(asked().every((path) => path.includes('/ja/'))).toBe(true)
})

test('a language it does not have searches English and names those there are', async () => {
  const { otherLanguages } = await docs.search('install', { language: 'de' })
  expect(otherLanguages).toEqual(['en', 'ja'])
})

test('a Japanese query searches Japanese pages, unless a language is named', async () => {
  const { hits, queryLanguage } = await docs.search('install ガイド')
  expect(asked().at(-1)).toContain('/ja/')
  expect(queryLanguage).toEqual({ searched: 'ja', others: ['en'], isOnly: true })
  expect(hits.every(({ url }) => url.includes('/ja/'))).toBe(true)
  const named = await docs.search('install ガイド', { language: 'en' })
  expect(asked().at(-1)).toContain('/en/')
  expect(named.queryLanguage).toBeUndefined()
  expect((await docs.search('설치')).queryLanguage).toEqual({ others: ['en', 'ja'], isOnly: true })
})

test('pages of other hosts and pages that are gone are shown as such, with their kind', async () => {
  const { hits } = await docs.search('knowledge', { includeHeadings: true })
  expect(hits[0]?.problem).toBeUndefined()
  expect(hits).toMatchObject([
    {
      title: 'Loads fail',
      kind: 'Knowledge Base, community.example.com',
      excerpt: 'Why loads fail.',
    },
    { title: 'Gone', kind: 'Reference', path: [], problem: expect.stringContaining('status 404') },
  ])
})

test('a summary of the site is the excerpt, at the words of the query, if it has them', async () => {
  const { hits } = await docs.search('rescue boats')
  expect(hits[0]?.excerpt).toMatch(/Rescue boats lift people out of the water\.$/)
  expect(hits[0]?.excerpt.length).toBeLessThanOrEqual(200)
})

test('titles in llms.txt stand for the search, under the addresses of pages', async () => {
  service.weather = 'down'
  const { hits, sources } = await docs.search('command line')
  expect(hits[0]?.url).toMatch(/\/en\/reference\/cli(?:#|$)/)
  expect(sources[0]?.site?.problem).toContain('status 500')
})

test('a part of the site gives pages of that part only, in every language', async () => {
  const part = `${service.url}/en/reference/`
  const { hits } = await docs.search('install', { source: part })
  expect(hits.map(({ url }) => new URL(url).pathname)).toEqual([
    '/en/reference/cli',
    '/en/reference/config',
  ])
  const { hits: japanese } = await docs.search('install', { source: part, language: 'ja' })
  expect(japanese.map(({ url }) => new URL(url).pathname)).toEqual([
    '/ja/reference/cli',
    '/ja/reference/config',
  ])
})

test('its pages are listed by llms.txt for an index of our own, with their language', async () => {
  const own = await createDocs({
    sources: [`${service.url}/en/`],
    sites: { snowflake: { home: source } },
    siteSearch: false,
    limits: { perSecond: 1_000 },
  })
  const { hits, sources } = await own.search('installer as root')
  expect(sources).toMatchObject([{ via: 'llms.txt', pages: 4 }])
  expect(hits[0]?.url).toBe(`${service.url}/en/guide/install#linux`)
  expect(service.questions()).toEqual([])
  await own.close()
})

test('nothing is asked offline', async () => {
  const offline = await createDocs({
    sources: [source],
    sites: { snowflake: { home: source } },
    offline: true,
  })
  await expect(offline.search('install')).rejects.toMatchObject({ code: 'offline' })
  expect(service.requests).toEqual([])
  await offline.close()
})

test('as many pages are read for their sections as are asked for, the best ones', async () => {
  const reads = () => service.requests.filter(({ path }) => path.includes('/guide/')).length
  const { hits } = await docs.search('install', { maxRead: 0 })
  expect(hits.length).toBeGreaterThan(0)
  expect(reads()).toBe(0)
  const { hits: read } = await docs.search('install', { maxRead: 1 })
  expect(read.map(({ url }) => url.split('#')[0])).toEqual(hits.map(({ url }) => url.split('#')[0]))
  const pages = new Set(
    service.requests
      .map(({ path }) => path.replace(/\.md$/, ''))
      .filter((path) => path.includes('/guide/')),
  )
  expect([...pages]).toHaveLength(1)
})

test('how many pages several wordings find is a lower bound', async () => {
  const { hits, matchingPages, isAll } = await docs.search(['install', 'upgrade'])
  expect(isAll).toBe(false)
  expect(matchingPages).toBeGreaterThanOrEqual(hits.length)
})

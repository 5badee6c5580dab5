import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { aws, awsOptions } from './sites/aws.ts'
import type { Service } from './sites/loopback-service.ts'

let service: Service
const folder = temporaryFolder()
let docs: Docs
let site: string

beforeAll(async () => {
  service = await aws.start()
  site = `${service.url}/`
  await writeFile(
    join(folder, 'own.html'),
    '<main><h1>Own notes</h1><p>How we install it.</p></main>',
  )
  docs = await createDocs({
    sources: [site, folder, 'http://127.0.0.1:9/'],
    sites: { aws: awsOptions(service.url) },
    limits: { perSecond: 1_000, retries: 0, timeoutMs: 2_000 },
  })
})

beforeEach(() => {
  service.weather = 'fair'
})

afterAll(async () => {
  await docs.close()
  await service.close()
})

test('hits of a site and of a folder stand side by side, and a source that is away is told', async () => {
  const { hits, sources } = await docs.search('install')
  expect(
    hits
      .slice(0, 2)
      .map(({ source }) => source)
      .toSorted(),
  ).toEqual([folder, site].toSorted())
  expect(sources.map(({ name, via }) => [name, via])).toEqual([
    [site, 'AWS documentation search'],
    [folder, 'files'],
    ['http://127.0.0.1:9/', ''],
  ])
  expect(sources[2]?.problem).toMatch(/could not be read/)
})

test('a site is no reason to fail when nothing else can be listed', async () => {
  const two = await createDocs({
    sources: [site, 'http://127.0.0.1:9/'],
    sites: { aws: awsOptions(service.url) },
    limits: { retries: 0, timeoutMs: 2_000 },
  })
  expect((await two.search('install')).hits.length).toBeGreaterThan(2)
  await two.close()
})

test('filters leave out the sources that have none, and those are named', async () => {
  const { hits, sources, omitted } = await docs.search('install', {
    filters: { product: ['AWS Lambda'] },
  })
  expect(new Set(hits.map(({ source }) => source))).toEqual(new Set([site]))
  expect(sources).toHaveLength(1)
  expect(omitted).toEqual([folder, 'http://127.0.0.1:9/'])
})

test('a search that cannot be narrowed now is an error, not another search', async () => {
  const own = await createDocs({ sources: [folder] })
  await expect(own.search('install', { filters: { product: ['x'] } })).rejects.toMatchObject({
    code: 'bad_argument',
    remedy: 'Search without filters.',
  })
  await own.close()
})

test('words that only a site was asked for are not called unknown', async () => {
  const { hits, misses } = await docs.search('zebra', { source: site })
  expect({ hits, misses }).toEqual({ hits: [], misses: [] })
})

import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aws, awsOptions } from './sites/aws.ts'
import { chinaOptions, startAwsChina } from './sites/aws-china.ts'
import type { Service } from './sites/loopback-service.ts'

let service: Service
let docs: Docs
let source: string
let guide: string

beforeAll(async () => {
  service = await aws.start()
  source = `${service.url}/`
  guide = `${service.url}/lambda/latest/dg/`
  docs = await createDocs({
    sources: [source],
    sites: { aws: awsOptions(service.url) },
    limits: { perSecond: 1_000, retries: 0 },
  })
})

beforeEach(() => {
  service.weather = 'fair'
})

afterAll(async () => {
  await docs.close()
  await service.close()
})

const sent = () => JSON.parse(service.questions().at(-1)?.body ?? '{}')

describe('a search', () => {
  test('leads to the section that the service recommends', async () => {
    const { hits } = await docs.search('install')
    expect(hits[0]).toMatchObject({
      title: 'Install',
      section: 'Linux',
      url: `${guide}guide/install.html#linux`,
    })
  })

  test('offers its facets, and is narrowed by them', async () => {
    const { facets } = await docs.search('install')
    expect(facets).toEqual({
      product: ['AWS Lambda', 'Amazon S3'],
      guide: ['Developer Guide', 'API Reference'],
    })
    const { hits } = await docs.search('install', { filters: { product: ['Amazon S3'] } })
    expect(hits).toEqual([])
    await docs.search('install', { filters: { guide: ['API Reference'] } })
    expect(sent().contextAttributes).toContainEqual({
      key: 'aws-docs-search-guide',
      value: 'API Reference',
    })
  })

  test('says which filters there are when it is given another', async () => {
    const failing = docs.search('install', { filters: { service: ['AWS Lambda'] } })
    await expect(failing).rejects.toMatchObject({
      code: 'bad_argument',
      message: 'No source has the filter "service".',
      remedy: 'Filters: product, guide.',
    })
  })

  test.for([
    ['ja', 'ja_jp'],
    ['pt-BR', 'pt_br'],
    ['zh', 'zh_cn'],
    ['fr-CA', 'en_us'],
  ])('in %s asks for the locale %s, and for one only', async ([language, locale]) => {
    await docs.search('install', { language: language ?? '' })
    expect(sent().locales).toEqual([locale])
  })

  test('of the Neuron site asks for its pages', async () => {
    const neuron = await createDocs({
      sources: [source],
      sites: {
        aws: { ...awsOptions(service.url), home: 'https://docs.example.org/', neuronHome: source },
      },
    })
    await neuron.querySiteSearch(source, 'install')
    expect(sent().contextAttributes).toEqual([
      { key: 'domain', value: 'awsdocs-neuron.readthedocs-hosted.com' },
    ])
    await neuron.close()
  })
})

test('a page is read as HTML, whatever its Markdown variant has made of the code', async () => {
  const own = await createDocs({ sources: [source], sites: { aws: awsOptions(service.url) } })
  const { origin, markdown } = await own.section(`${guide}twin.html`, 'Limits')
  expect(origin.source).toBe('html')
  expect(markdown).toContain('A function has up to five layers at a time.')
  const { markdown: code } = await own.content(`${guide}twin.html`, { includeCodeBlocks: true })
  expect(code).toContain('```sql\nSELECT column_1 FROM old_table\n```')
  expect(service.requests.map(({ path }) => path)).not.toContain(`${guide}twin.md`)
  await own.close()
})

describe('next to a page', () => {
  test('stand its neighbours in the guide, and what the site recommends', async () => {
    const related = await docs.related(`${guide}gettingstarted-limits.html`)
    expect(related.previous).toEqual([{ url: `${guide}guide/install.html`, title: 'Install' }])
    expect(related.next).toEqual([{ url: `${guide}guide/upgrade.html`, title: 'Upgrade' }])
    expect(related.up).toEqual([{ url: `${guide}guide.html`, title: 'Guide' }])
    expect(related.guide).toBe(`${guide}toc-contents.json`)
    expect(related.recommended.map(({ group, title }) => [group, title])).toEqual([
      ['highly rated', 'Install'],
      ['read next', 'Upgrade'],
      ['new', 'Command line'],
      ['similar', 'Settings'],
    ])
  })
})

describe('the contents of a guide', () => {
  test('are its pages in order, those of other lists included, each list once', async () => {
    const contents = await docs.contents(`${guide}toc-contents.json`)
    expect(contents?.markdown).toBe(
      [
        '- Welcome (welcome.html)',
        '- Guide (guide.html)',
        '  - Install (guide/install.html)',
        '  - Lambda quotas (gettingstarted-limits.html#top)',
        '  - Upgrade (guide/upgrade.html)',
        '- Reference (reference.html)',
        '  - Command line (reference/cli.html)',
        '  - Settings (reference/config.html)',
        // Groups, and what leads nowhere, have titles only.
        '  - Round',
        '- Elsewhere',
        '',
      ].join('\n'),
    )
  })

  test('can be listed below one page', async () => {
    const contents = await docs.contents(`${guide}gettingstarted-limits.html`, { below: 'Guide' })
    expect(contents?.pages.map(({ title }) => title)).toEqual([
      'Guide',
      'Install',
      'Lambda quotas',
      'Upgrade',
    ])
    const wrong = docs.contents(`${guide}toc-contents.json`, { below: 'Nothing' })
    await expect(wrong).rejects.toMatchObject({ code: 'section_not_found' })
  })

  test('are what an index of the guide is made of', async () => {
    const own = await createDocs({
      sources: [guide],
      sites: { aws: awsOptions(service.url) },
      siteSearch: true,
      limits: { perSecond: 1_000 },
    })
    const [updated] = await own.update()
    expect(updated).toMatchObject({ via: 'contents of the guide', pages: 5, failed: 3 })
    await own.close()
  })
})

test('the China partition is searched by the pages of its services', async () => {
  const china = await startAwsChina()
  const own = await createDocs({
    sources: [`${china.url}/`],
    sites: { 'aws-cn': chinaOptions(china.url) },
    limits: { perSecond: 1_000 },
  })
  const { hits, sources } = await own.search('installer as root')
  expect(sources[0]?.via).toBe('contents of the guide')
  expect(hits[0]?.url).toContain('/en_us/aws/latest/userguide/guide/install.html#linux')
  await own.close()
  await china.close()
})

test('with a list of hosts, those of the site are read and no others', async () => {
  const only = await createDocs({
    sources: [source],
    sites: { aws: { ...awsOptions(service.url), recommendUrl: 'https://recommend.example.org/' } },
    only: ['127.0.0.1'],
    limits: { retries: 0, timeoutMs: 2_000 },
  })
  await expect(only.content('https://example.org/')).rejects.toMatchObject({ code: 'not_allowed' })
  expect((await only.search('install')).hits.length).toBeGreaterThan(0)
  await only.close()
})

test('options that are wrong are named', async () => {
  const open = (sites: Record<string, Record<string, string>>) => createDocs({ sites })
  await expect(open({ azure: {} })).rejects.toMatchObject({
    message: 'There is no site or service named "azure".',
  })
  await expect(open({ aws: { searchURL: 'x' } })).rejects.toMatchObject({
    message: 'aws has no option "searchURL".',
  })
  await expect(open({ aws: { searchUrl: 'search' } })).rejects.toMatchObject({
    message: 'The option searchUrl of aws must be a URL, got "search".',
  })
  await expect(open({ 'https://docs.example.org/': { service: 'lucene' } })).rejects.toMatchObject({
    message: 'There is no site or service named "lucene".',
  })
})

import { createDocs, type DocsOptions } from '@pith-mcp/docs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { credentials, startAlgolia } from './sites/algolia.ts'
import type { Service } from './sites/loopback-service.ts'
import { startMediaWiki } from './sites/mediawiki.ts'

/** The service that is recognised by a first page, and what it then finds. */
async function found(
  starting: Promise<Service>,
  options: { source: string } & Pick<DocsOptions, 'siteSearch'>,
): Promise<{ name: string | undefined; hits: string[] }> {
  const service = await starting
  const source = service.url + options.source
  const docs = await createDocs({
    ...options,
    sources: [source],
    sites: { algolia: { url: service.url } },
    limits: { perSecond: 1_000 },
  })
  try {
    const { site } = await docs.describe(source)
    const hits = site?.search ? (await docs.querySiteSearch(source, 'install')).hits : []
    return { name: site?.name, hits: hits.map(({ title }) => title) }
  } finally {
    await docs.close()
    await service.close()
  }
}

const json =
  '{"appId":"ABCDE12345","apiKey":"0123456789abcdef0123456789abcdef","indexName":"my docs"}'
const siteData = JSON.stringify(
  JSON.stringify({ themeConfig: { search: { provider: 'algolia', options: JSON.parse(json) } } }),
)

describe('Algolia is recognised', () => {
  test.for<[string, string, Record<string, string>?]>([
    ['in a page of its own making', `<script>docsearch({container:'#s',${credentials}})</script>`],
    [
      'with several indexes',
      `<script>docsearch({appId:'ABCDE12345',apiKey:'0123456789abcdef0123456789abcdef',indices:[{name:'my docs'}]})</script>`,
    ],
    [
      'in the data of VitePress',
      `<meta name="generator" content="VitePress v1.6.3"><script>window.__VP_SITE_DATA__=JSON.parse(${siteData});</script>`,
    ],
    [
      'in a chunk of VitePress',
      '<div class="VPNavBarSearch"></div><script type="module" src="/docs/assets/chunks/metadata.1a2b3c4d.js"></script>',
      {
        '/docs/assets/chunks/metadata.1a2b3c4d.js': `window.__VP_SITE_DATA__=JSON.parse(${siteData});`,
      },
    ],
    [
      'in a file of Sphinx',
      '<script defer src="_static/docsearch_config.js"></script>',
      {
        '/docs/_static/docsearch_config.js': `docsearch({
  container: "#docsearch",
  appId: "ABCDE12345",
  apiKey: "0123456789abcdef0123456789abcdef",
  indexName: "my docs",
});`,
      },
    ],
    [
      'in a chunk of Starlight',
      '<sl-doc-search></sl-doc-search><script type="module" src="/_astro/DocSearch.astro_astro_type_script_index_0.B1c2.js"></script>',
      {
        '/_astro/DocSearch.astro_astro_type_script_index_0.B1c2.js': `const e=${json};export{e as default}`,
      },
    ],
    [
      'in the data of Antora',
      '<script id="search-script" data-app-id="ABCDE12345" data-api-key="0123456789abcdef0123456789abcdef" data-index-name="my docs"></script>',
    ],
  ])('%s', async ([, head, files]) => {
    const answer = await found(
      startAlgolia(
        () => head,
        () => files ?? {},
      ),
      { source: '/docs/' },
    )
    expect(answer).toEqual({
      name: 'algolia',
      hits: expect.arrayContaining(['Install', 'Upgrade']),
    })
  })

  test.for([
    [
      'a page that only speaks of it',
      '<meta name="description" content="algolia docsearch appId apiKey">',
    ],
    [
      'a key without its index',
      `<script>docsearch({appId:'ABCDE12345',apiKey:'0123456789abcdef0123456789abcdef'})</script>`,
    ],
  ])('but not in %s', async ([, head = '']) => {
    expect(
      await found(
        startAlgolia(() => head),
        { source: '/docs/' },
      ),
    ).toEqual({ name: undefined, hits: [] })
  })

  test('nor when no site is to be asked', async () => {
    const head = () => `<script>docsearch({${credentials}})</script>`
    const answer = await found(startAlgolia(head), { source: '/docs/', siteSearch: false })
    expect(answer.name).toBeUndefined()
  })
})

test('an API of another host is not used', async () => {
  const foreign = startMediaWiki('https://wiki.example.org/api.php')
  expect((await found(foreign, { source: '/wiki/Main_Page' })).name).toBeUndefined()
})

test.for([
  [
    'docs-default-2.0',
    '"facetFilters":[["docusaurus_tag:default","docusaurus_tag:docs-default-2.0"]]',
  ],
  ['default', undefined],
] as const)(
  'pages of the version %s are asked for where a page is of one',
  async ([tag, filters]) => {
    const service = await startAlgolia(
      () =>
        `<meta name="docsearch:docusaurus_tag" content="${tag}"><script>docsearch({${credentials}})</script>`,
    )
    const source = `${service.url}/docs/`
    const docs = await createDocs({ sources: [source], sites: { algolia: { url: service.url } } })
    await docs.querySiteSearch(source, 'install')
    const body = service.questions()[0]?.body ?? ''
    if (filters === undefined) expect(body).not.toContain('facetFilters')
    else expect(body).toContain(filters)
    await docs.close()
    await service.close()
  },
)

test('a source can be given its service, which its page need not name', async () => {
  const service = await startAlgolia(() => '')
  const source = `${service.url}/docs/`
  const given = {
    service: 'algolia',
    url: service.url,
    appId: 'ABCDE12345',
    apiKey: '0123456789abcdef0123456789abcdef',
    indexName: 'my docs',
  }
  const docs = await createDocs({ sources: [source], sites: { [source]: given } })
  expect((await docs.describe(source)).site?.name).toBe('algolia')
  const { hits, sources } = await docs.search('install', { filters: { version: ['2'] } })
  expect(sources[0]?.via).toBe('Algolia DocSearch')
  expect(hits[0]?.title).toBe('Install')
  expect(service.questions()[0]?.body).toContain('"facetFilters":[["version:2"]]')
  await docs.close()
  await service.close()
})

test('what was recognised is remembered by the next process, and the page is not asked again', async () => {
  const cacheFolder = temporaryFolder(onTestFinished)
  const service = await startAlgolia(() => `<script>docsearch({${credentials}})</script>`)
  const source = `${service.url}/docs/`
  const options = { sources: [source], sites: { algolia: { url: service.url } }, cacheFolder }
  for (const times of [1, 2]) {
    const docs = await createDocs(options)
    await docs.querySiteSearch(source, 'install')
    await docs.close()
    expect(service.questions()).toHaveLength(times)
    expect(service.requests.filter(({ path }) => path === '/docs/')).toHaveLength(1)
  }
  const docs = await createDocs(options)
  service.weather = 'refused'
  await docs.search('install')
  service.weather = 'fair'
  await docs.search('install')
  // It did not answer as its page says: the page is looked at again.
  expect(service.requests.filter(({ path }) => path === '/docs/').length).toBeGreaterThan(1)
  await docs.close()
  await service.close()
})

import { json, page, type Service, startService } from './loopback-service.ts'
import { type FixturePage, frontHtml, matching, pageAt, pageHtml } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

interface Question {
  query: string
  hitsPerPage: number
  facetFilters?: (string | string[])[]
}

const questionIn = (body: string): Question => JSON.parse(body) as Question

const record = (url: string, one: FixturePage) => ({
  objectID: one.path,
  url: `${url}/docs/${one.path}#${one.id}`,
  url_without_anchor: `${url}/docs/${one.path}`,
  anchor: one.id,
  type: 'content',
  content: one.text,
  hierarchy: {
    lvl0: 'Docs',
    lvl1: one.title,
    lvl2: one.section,
    lvl3: null,
    lvl4: null,
    lvl5: null,
    lvl6: null,
  },
  _snippetResult: {
    content: {
      value: one.text.replace('installer', '<mark>installer</mark>').replace(' as ', ' &amp; as '),
      matchLevel: 'full',
    },
  },
})

/** DocSearch, with its settings where a generator writes them. */
export const startAlgolia = (
  head: (url: string) => string,
  files: (url: string) => Record<string, string> = () => ({}),
): Promise<Service> =>
  startService({
    isQuestion: ({ path }) => path.startsWith('/1/indexes/'),
    answer({ path, body, headers }, url, isEmpty) {
      if (path.startsWith('/1/indexes/')) {
        const isKnown =
          headers['x-algolia-application-id'] === 'ABCDE12345' &&
          headers['x-algolia-api-key'] === '0123456789abcdef0123456789abcdef'
        if (!isKnown)
          return {
            ...json({ message: 'Invalid Application-ID or API key', status: 403 }),
            status: 403,
          }
        if (headers.referer !== `${url}/`)
          return {
            ...json({ message: 'Method not allowed with this referer', status: 403 }),
            status: 403,
          }
        if (path !== '/1/indexes/my%20docs/query')
          return { ...json({ message: 'Index does not exist', status: 404 }), status: 404 }
        const { query, hitsPerPage, facetFilters = [] } = questionIn(body)
        // An attribute that is not for faceting matches nothing.
        const found = matching(
          query,
          isEmpty ||
            facetFilters.flat().some((filter) => !/^(?:language:en|version:2)/.test(filter)),
        )
        return json({
          hits: found.slice(0, hitsPerPage).map((one) => record(url, one)),
          nbHits: found.length,
          page: 0,
          hitsPerPage,
          query,
        })
      }
      const file = files(url)[path]
      if (file !== undefined) return { type: 'text/javascript', body: file }
      if (path === '/docs/') return page(frontHtml(head(url), '/docs/'))
      const found = pageAt(path, '/docs/')
      return found && page(pageHtml(found))
    },
  })

export const credentials =
  'appId:"ABCDE12345",apiKey:"0123456789abcdef0123456789abcdef",indexName:"my docs"'

export const algolia: SiteFixture = {
  name: 'algolia',
  title: 'Algolia DocSearch',
  start: () =>
    startAlgolia(
      () => `<link rel="preconnect" href="https://ABCDE12345-dsn.algolia.net" crossorigin="anonymous">
<meta name="docsearch:language" content="en"><meta name="docsearch:docusaurus_tag" content="docs-default-current">
<script src="/assets/js/runtime~main.1.js" defer></script><script src="/assets/js/main.0a1b2c3d.js" defer></script>`,
      () => ({
        '/assets/js/main.0a1b2c3d.js': `(self.webpackChunk=self.webpackChunk||[]).push([[792],{1:(e,t)=>{const r={title:"Docs",themeConfig:{algolia:{${credentials},contextualSearch:!0,searchPagePath:"search"}}}}}]);`,
      }),
    ),
  source: ({ url }) => `${url}/docs/`,
  sites: ({ url }) => ({ algolia: { url } }),
  words: 'install',
  best: {
    url: ({ url }) => `${url}/docs/guide/install#linux`,
    title: 'Install',
    excerpt: /run the installer & as root/,
  },
  asked: ({ body }) => questionIn(body).query,
  live: { source: 'https://docusaurus.io/docs/', words: 'swizzle component', title: /swizzl/i },
}

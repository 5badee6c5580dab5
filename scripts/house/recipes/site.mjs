export const site = {
  title: 'Add a site or service',
  steps: [
    {
      text: 'If a search is one request for JSON, add a row to `packages/sites/src/site-search/services.ts`, or to a table next to it; `port/json-site.ts` documents what a row may have. Otherwise add a folder with an adapter for the port in `port/site.ts`. Add its line to `all-sites.ts`.',
      places: [
        {
          path: 'packages/sites/src/site-search/example.ts',
          create: `import { metaOf } from '#formats/stated-version'
import { jsonSite } from './port/json-site.ts'
import type { SiteAdapter } from './port/site.ts'

export const example: SiteAdapter = jsonSite({
  name: 'example',
  title: 'Example search',
  defaults: { searchUrl: '/api/find' },
  recognise: async ({ html }) => (metaOf(html, 'generator') === 'Example' ? {} : undefined),
  request: (query, { limit }, { options }) => ({
    url: options.searchUrl,
    params: { q: query, limit: String(limit) },
  }),
  results: 'results',
  total: 'total',
  hit: ({ path, title, section, text }) => ({
    url: path,
    title,
    headings: [section],
    excerpts: [text],
  }),
})
`,
        },
        {
          path: 'packages/sites/src/site-search/all-sites.ts',
          after: "import { algolia, typesense } from './docsearch.ts'\n",
          insert: "import { example } from './example.ts'\n",
        },
        {
          path: 'packages/sites/src/site-search/all-sites.ts',
          after: '  mediawiki,\n',
          insert: '  example,\n',
        },
      ],
    },
    {
      text: 'Add a server that behaves like the real one to `packages/docs/test/sites/`, and its line to `site-adapters.test.ts`, which runs the contract on every adapter.',
      places: [
        {
          path: 'packages/docs/test/sites/example.ts',
          create: `import { json, page, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

export const example: SiteFixture = {
  name: 'example',
  title: 'Example search',
  start: () =>
    startService({
      isQuestion: ({ path }) => path === '/api/find',
      answer({ path, query }, url, isEmpty) {
        if (path === '/api/find') {
          const hits = matching(query.get('q') ?? '', isEmpty)
          const results = hits.slice(0, Number(query.get('limit'))).map((hit) => ({
            path: \`\${url}/\${hit.path}\`,
            title: hit.title,
            section: hit.section,
            text: hit.text,
          }))
          return json({ total: hits.length, results })
        }
        if (path === '/') return page(frontHtml('<meta name="generator" content="Example" />'))
        const target = pageAt(path)
        return target && page(pageHtml(target))
      },
    }),
  source: ({ url }) => \`\${url}/\`,
  words: 'install',
  best: {
    url: ({ url }) => \`\${url}/guide/install\`,
    title: 'Install',
    excerpt: /^Unpack the archive/,
  },
  asked: ({ query }) => query.get('q') ?? '',
  live: { source: 'https://docs.example.com/', words: 'install', title: /install/i },
}
`,
        },
        {
          path: 'packages/docs/test/site-adapters.test.ts',
          after: "import { aws } from './sites/aws.ts'\n",
          insert: "import { example } from './sites/example.ts'\n",
        },
        {
          path: 'packages/docs/test/site-adapters.test.ts',
          after: '  mediawiki,\n',
          insert: '  example,\n',
        },
      ],
    },
    {
      text: 'Add lines to `docs/sites.md`.',
      places: [
        {
          path: 'docs/sites.md',
          before: '| `mediawiki`       | `apiUrl`',
          insert: '| `example` | `searchUrl` `/api/find` |\n',
        },
      ],
    },
  ],
  note: 'An adapter relies only on observed behaviour of an interface. So every host and path is a setting.',
  tests: ['packages/docs/test/site-adapters.test.ts', 'apps/docs-mcp/test/sites.test.ts'],
}

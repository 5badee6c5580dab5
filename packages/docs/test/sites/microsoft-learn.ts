import { json, page, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

export const microsoftLearn: SiteFixture = {
  name: 'microsoft-learn',
  title: 'Microsoft Learn search',
  start: () =>
    startService({
      isQuestion: ({ path }) => path === '/api/search',
      answer({ path, query }, url, isEmpty) {
        if (path === '/api/search') {
          const locale = query.get('locale')
          if (!locale) return { ...json({ message: 'locale is required' }), status: 400 }
          const found = matching(query.get('search') ?? '', isEmpty)
          return json({
            facets: {
              category: [
                { type: 0, from: null, to: null, value: 'Documentation', count: found.length },
              ],
            },
            results: [
              ...found.map((one) => ({
                title: `${one.title}\n`,
                url: `${url}/${locale}/${one.path}`,
                displayUrl: { content: one.path, hitHighlights: [] },
                description: one.path === 'guide/upgrade' ? null : one.text,
                descriptions: [{ content: one.text, hitHighlights: [{ start: 0, length: 5 }] }],
                lastUpdatedDate: '2026-03-01T00:00:00+00:00',
                breadcrumbs: [],
                category: 'Documentation',
              })),
              {
                title: 'Elsewhere',
                url: 'https://www.example.com/install',
                description: 'Another site',
              },
            ].slice(0, isEmpty ? 0 : Number(query.get('$top'))),
            count: found.length,
          })
        }
        if (path === '/') return page(frontHtml('', '/en-us/'))
        const found = pageAt(path, '/en-us/') ?? pageAt(path, '/ja-jp/')
        return found && page(pageHtml(found))
      },
    }),
  source: ({ url }) => `${url}/`,
  sites: ({ url }) => ({ 'microsoft-learn': { home: `${url}/` } }),
  words: 'install',
  best: {
    url: ({ url }) => `${url}/en-us/guide/install`,
    title: 'Install',
    excerpt: /^Unpack the archive/,
  },
  asked: ({ query }) => query.get('search') ?? '',
  live: {
    source: 'https://learn.microsoft.com/',
    words: 'azure functions overview',
    title: /functions/i,
  },
}

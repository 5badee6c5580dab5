import { json, page, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

export const mdn: SiteFixture = {
  name: 'mdn',
  title: 'MDN search',
  start: () =>
    startService({
      isQuestion: ({ path }) => path === '/api/v1/search',
      answer({ path, query }, _url, isEmpty) {
        if (path === '/api/v1/search') {
          const words = query.get('q') ?? ''
          const wrong = {
            q: [{ message: 'Ensure this value has at most 200 characters', code: 'invalid' }],
          }
          if (words === '' || Buffer.byteLength(words) > 200)
            return { ...json({ errors: wrong }), status: 400 }
          const found = matching(words, isEmpty)
          return json({
            documents: found.map((one) => ({
              mdn_url: `/en-US/docs/${one.path}`,
              score: 25.1,
              title: one.title,
              locale: query.get('locale'),
              slug: one.path,
              popularity: 0.1,
              summary: one.path === 'guide/install' ? '' : one.text,
              highlight: {
                body: [
                  `${one.text.replace('installer', '<mark>installer</mark>')} It&#x27;s quick.`,
                ],
                title: [],
              },
            })),
            metadata: {
              took_ms: 3,
              size: 10,
              page: 1,
              total: { value: found.length, relation: 'eq' },
            },
            suggestions: [],
          })
        }
        if (path === '/') return page(frontHtml('', '/en-US/docs/'))
        const found = pageAt(path, '/en-US/docs/')
        return found && page(pageHtml(found))
      },
    }),
  source: ({ url }) => `${url}/`,
  sites: ({ url }) => ({ mdn: { home: `${url}/` } }),
  words: 'install',
  best: {
    url: ({ url }) => `${url}/en-US/docs/guide/install`,
    title: 'Install',
    excerpt: /run the installer as root.*It's quick/,
  },
  asked: ({ query }) => query.get('q') ?? '',
  live: { source: 'https://developer.mozilla.org/', words: 'clipboard api', title: /clipboard/i },
}

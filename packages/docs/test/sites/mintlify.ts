import { json, page, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml, pages } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

const wordsIn = (body: string): string => (JSON.parse(body) as { query: string }).query

export const mintlify: SiteFixture = {
  name: 'mintlify',
  title: 'Mintlify search',
  start: () =>
    startService({
      isQuestion: ({ path }) => path.startsWith('/api/search/'),
      answer({ path, body }, _url, isEmpty) {
        if (path === '/api/search/acme-1dd33a4e') {
          const found = matching(wordsIn(body), isEmpty)
          return json({
            // In no order.
            results: found.toReversed().map((one, at) => ({
              id: one.path,
              page: one.path,
              header: one.section,
              content: `${one.section}\n<mark><b>${one.text}</b></mark>`,
              metadata: {
                title: one.title,
                breadcrumbs: ['Docs', one.title],
                hash: one.id,
                language: 'en',
              },
              score: at / 10,
            })),
          })
        }
        if (path.startsWith('/api/search/')) return undefined
        if (path === '/docs/')
          return page(
            frontHtml(
              '<meta name="generator" content="Mintlify"/>',
              '/docs/',
              '<img src="https://mintcdn.com/acme-1dd33a4e/abc/logo.png">',
            ),
          )
        if (path === '/docs/llms.txt')
          return {
            type: 'text/plain',
            body: pages
              .map((one) => `- [${one.title}](/docs/${one.path}.md): ${one.text}`)
              .join('\n'),
          }
        const found = pageAt(path, '/docs/')
        return found && page(pageHtml(found))
      },
    }),
  source: ({ url }) => `${url}/docs/`,
  sites: ({ url }) => ({ mintlify: { searchUrl: `${url}/api/search/{subdomain}` } }),
  words: 'install',
  best: {
    url: ({ url }) => `${url}/docs/guide/install#linux`,
    title: 'Install',
    excerpt: /^Unpack the archive/,
  },
  asked: ({ body }) => wordsIn(body),
  less: true,
  live: { source: 'https://www.mintlify.com/docs/', words: 'custom domain', title: /domain/i },
}

import { json, page, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml, pages } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

const wordsIn = (body: string): string => (JSON.parse(body) as { query: string }).query

export const gitbook: SiteFixture = {
  name: 'gitbook',
  title: 'GitBook search',
  start: () =>
    startService({
      isQuestion: ({ path }) => path === '/docs/~gitbook/search',
      answer({ path, method, body }, _url, isEmpty) {
        if (path === '/docs/~gitbook/search') {
          if (method !== 'POST') return { status: 405, body: '' }
          return json(
            matching(wordsIn(body), isEmpty).map((one) => ({
              type: 'page',
              id: one.path,
              title: one.title,
              href: `/docs/${one.path}`,
              score: 9,
              breadcrumbs: [{ label: 'Guides' }],
              bestSection: {
                href: `/docs/${one.path}#${one.id}`,
                title: one.section,
                body: one.text,
                score: 9,
              },
            })),
          )
        }
        if (path === '/docs/~gitbook/site-index')
          return json({
            version: 1,
            pages: pages.map((one) => ({
              id: one.path,
              title: one.title,
              pathname: `/docs/${one.path}`,
              lang: 'en',
              description: one.text,
              breadcrumbs: [{ label: 'Guides' }],
            })),
          })
        if (path === '/docs/')
          return page(
            frontHtml(
              '<meta name="generator" content="GitBook (2fa1b3c)"/><link rel="preload" as="fetch" href="/docs/~gitbook/site-index">',
              '/docs/',
            ),
          )
        const found = pageAt(path, '/docs/')
        return found && page(pageHtml(found))
      },
    }),
  source: ({ url }) => `${url}/docs/`,
  words: 'install',
  best: {
    url: ({ url }) => `${url}/docs/guide/install#linux`,
    title: 'Install',
    excerpt: /^Unpack the archive/,
  },
  asked: ({ body }) => wordsIn(body),
  less: true,
  live: { source: 'https://gitbook.com/docs/', words: 'custom domain', title: /domain/i },
}

import { json, page, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

export const readthedocs: SiteFixture = {
  name: 'readthedocs',
  title: 'Read the Docs search',
  start: () =>
    startService({
      isQuestion: ({ path }) => path === '/_/api/v3/search/',
      answer({ path, query }, url, isEmpty) {
        if (path === '/_/api/v3/search/') {
          const words = query.get('q') ?? ''
          if (words === '')
            return { ...json({ q: ['This query parameter is required'] }), status: 400 }
          const isKnown = words.startsWith('project:manual/stable ')
          const found = isKnown ? matching(words.replace('project:manual/stable', ''), isEmpty) : []
          return json({
            count: found.length,
            next: null,
            previous: null,
            projects: isKnown ? [{ slug: 'manual', versions: [{ slug: 'stable' }] }] : [],
            query: words,
            results: found.slice(0, Number(query.get('page_size'))).map((one) => ({
              type: 'page',
              project: { slug: 'manual', alias: null },
              version: { slug: 'stable' },
              title: one.title,
              domain: url,
              path: `/en/stable/${one.path}.html`,
              highlights: { title: [] },
              blocks: [
                {
                  type: 'section',
                  id: one.id,
                  title: one.section,
                  content: one.text,
                  highlights: {
                    title: [],
                    content: [
                      one.text.replace('archive', '<span>archive</span>').replace(', ', ' &amp; '),
                    ],
                  },
                },
              ],
            })),
          })
        }
        if (path === '/en/stable/')
          return page(
            frontHtml(
              '<meta name="readthedocs-project-slug" content="manual" /><meta name="readthedocs-version-slug" content="stable" />',
              '/en/stable/',
            ),
          )
        const found = pageAt(path, '/en/stable/')
        return found && page(pageHtml(found))
      },
    }),
  source: ({ url }) => `${url}/en/stable/`,
  words: 'install',
  best: {
    url: ({ url }) => `${url}/en/stable/guide/install.html#linux`,
    title: 'Install',
    excerpt: /^Unpack the archive/,
  },
  asked: ({ query }) => query.get('q') ?? '',
  live: {
    source: 'https://docs.readthedocs.com/platform/stable/',
    words: 'build configuration',
    title: /build|config/i,
  },
}

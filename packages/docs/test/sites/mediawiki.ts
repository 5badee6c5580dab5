import { json, page, type Service, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

const isSearch = (path: string): boolean => path === '/w/api.php'

/** A wiki whose pages name this API. */
export const startMediaWiki = (api = '/w/api.php'): Promise<Service> =>
  startService({
    isQuestion: ({ path }) => isSearch(path),
    answer({ path, query }, url, isEmpty) {
      if (isSearch(path)) {
        const words = query.get('srsearch') ?? ''
        if (words === '')
          return json({ error: { code: 'missingparam', info: 'The parameter is missing.' } })
        const found = matching(words, isEmpty)
        return json({
          batchcomplete: true,
          query: {
            general: { sitename: 'Manual', articlepath: '/wiki/$1', server: url },
            searchinfo: { totalhits: found.length },
            search: found.slice(0, Number(query.get('srlimit'))).map((one, at) => ({
              ns: 0,
              title: one.path,
              pageid: at + 1,
              sectiontitle: one.section,
              snippet: one.text.replace('archive', '<span class="searchmatch">archive</span>'),
            })),
          },
        })
      }
      if (path === '/wiki/Main_Page')
        return page(
          frontHtml(
            `<meta name="generator" content="MediaWiki 1.44.0" /><link rel="EditURI" type="application/rsd+xml" href="${api}?action=rsd" />`,
            '/wiki/',
          ),
        )
      const one = pageAt(path, '/wiki/')
      return one && page(pageHtml(one))
    },
  })

export const mediawiki: SiteFixture = {
  name: 'mediawiki',
  title: 'MediaWiki search',
  start: () => startMediaWiki(),
  source: ({ url }) => `${url}/wiki/Main_Page`,
  words: 'install',
  best: {
    url: ({ url }) => `${url}/wiki/guide/install#Linux`,
    title: 'guide/install',
    excerpt: /^Unpack the archive/,
  },
  asked: ({ query }) => query.get('srsearch') ?? '',
  live: {
    source: 'https://www.mediawiki.org/wiki/Help:Contents',
    words: 'templates',
    title: /template/i,
  },
}

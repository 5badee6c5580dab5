import { page, type Service, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const place = '/opensearch.xml'

/** A site with a description of its search; `urls` are its `Url` elements. */
export const startOpenSearch = (urls: (url: string) => string, more = ''): Promise<Service> =>
  startService({
    isQuestion: ({ path }) => /^\/(?:search|suggest)/.test(path),
    answer({ path, query }, url, isEmpty) {
      const found = matching(query.get('q') ?? '', isEmpty)
      const limit = Number(query.get('n') ?? 50)
      if (path === '/search.rss')
        return {
          type: 'application/rss+xml',
          body: `<?xml version="1.0"?><rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><channel><title>Search</title><link>${url}/</link>
<opensearch:totalResults>${found.length}</opensearch:totalResults>${found
            .slice(0, limit)
            .map(
              (one) =>
                `<item><title>${escaped(one.title)}</title><link>${url}/${one.path}</link><description>${escaped(`<b>${one.text}</b>`)}</description></item>`,
            )
            .join('')}</channel></rss>`,
        }
      if (path === '/suggest')
        return {
          type: 'application/x-suggestions+json',
          body: JSON.stringify([
            query.get('q'),
            found.map(({ title }) => title),
            found.map(({ text }) => text),
            found.map((one) => `${url}/${one.path}`),
          ]),
        }
      if (path === '/search')
        return page(
          `<nav><a href="/install-nav">install</a></nav><main><h1>Results</h1>${found
            .map((one) => `<li><a href="/${one.path}">${one.title} install</a></li>`)
            .join('')}</main>`,
        )
      if (path === '/search-app')
        return page('<main><div id="app"></div><script src="/app.js"></script></main>')
      if (path === place)
        return {
          type: 'application/opensearchdescription+xml',
          body: `<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Manual</ShortName>${more}${urls(url)}</OpenSearchDescription>`,
        }
      if (path === '/')
        return page(
          frontHtml(
            `<link title="Manual" type="application/opensearchdescription+xml" rel="search" href="${place}">`,
          ),
        )
      const one = pageAt(path)
      return one && page(pageHtml(one))
    },
  })

const feedUrl = (url: string): string =>
  `<Url type="text/html" template="${url}/search-app?q={searchTerms}"/><Url type="application/rss+xml" indexOffset="0" template="${url}/search.rss?q={searchTerms}&amp;n={count?}&amp;start={startIndex?}&amp;hl={language?}&amp;x={geo:box?}"/>`

export const opensearch: SiteFixture = {
  name: 'opensearch',
  title: 'OpenSearch',
  start: () => startOpenSearch(feedUrl),
  source: ({ url }) => `${url}/`,
  words: 'install',
  best: {
    url: ({ url }) => `${url}/guide/install`,
    title: 'Install',
    excerpt: /^Unpack the archive/,
  },
  asked: ({ query }) => query.get('q') ?? '',
  live: {
    source: 'https://www.mediawiki.org/wiki/Help:Contents',
    words: 'templates',
    title: /template/i,
  },
}

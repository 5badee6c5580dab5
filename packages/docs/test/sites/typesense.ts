import { json, page, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

interface Search {
  collection: string
  q: string
  per_page: number
  filter_by?: string
}

const rankIndex = (body: string): Search => (JSON.parse(body) as { searches: [Search] }).searches[0]

export const typesense: SiteFixture = {
  name: 'typesense',
  title: 'Typesense DocSearch',
  start: () =>
    startService({
      isQuestion: ({ path }) => path === '/multi_search',
      answer({ path, body, headers }, url, isEmpty) {
        if (path === '/multi_search') {
          if (headers['x-typesense-api-key'] !== 'searchOnlyKey0123456789abcdefghij')
            return {
              ...json({
                message: 'Forbidden - a valid `x-typesense-api-key` header must be sent.',
              }),
              status: 401,
            }
          const { collection, q, per_page, filter_by = '' } = rankIndex(body)
          if (collection !== 'manual')
            return json({ results: [{ code: 404, error: 'Not found.' }] })
          if (filter_by.includes('docusaurus_tag'))
            return json({
              results: [
                {
                  code: 400,
                  error: 'Could not find a filter field named `docusaurus_tag` in the schema.',
                },
              ],
            })
          const found = matching(q, isEmpty)
          return json({
            results: [
              {
                found: found.length,
                grouped_hits: found.slice(0, per_page).map((one) => ({
                  group_key: [`${url}/docs/${one.path}#${one.id}`],
                  hits: [
                    {
                      document: {
                        id: one.id,
                        url: `${url}/docs/${one.path}#${one.id}`,
                        content: one.text,
                        'hierarchy.lvl0': 'Docs',
                        'hierarchy.lvl1': one.title,
                        'hierarchy.lvl2': one.section,
                      },
                      highlight: {
                        content: { snippet: one.text.replace('archive', '<mark>archive</mark>') },
                      },
                      text_match: 5,
                    },
                  ],
                })),
              },
            ],
          })
        }
        if (path === '/docs/') {
          const { hostname, port } = new URL(url)
          const settings = `typesenseCollectionName:'manual',typesenseServerConfig:{nodes:[{host:'${hostname}',port:${port},protocol:'http'}],apiKey:'searchOnlyKey0123456789abcdefghij'}`
          const tag = '<meta name="docsearch:docusaurus_tag" content="default">'
          return page(
            frontHtml(
              `${tag}<script>docsearch({container:'#s',${settings}})</script><script src="https://cdn.example.com/typesense-docsearch.js"></script>`,
              '/docs/',
            ),
          )
        }
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
  asked: ({ body }) => rankIndex(body).q,
  live: { source: 'https://typesense.org/docs/', words: 'synonyms', title: /synonym/i },
}

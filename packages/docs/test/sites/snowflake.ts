import { json, page, startService } from './loopback-service.ts'
import { frontHtml, matching, pageAt, pageHtml, pages, realPage } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

/** Builds of the site: a new one makes the addresses of the one before unknown. */
export const builds = { current: '4Vr4FcaZt5TNi0rcHXIGK' }

const isSearch = (path: string): boolean =>
  /^\/_next\/data\/[^/]+\/(?:en|ja)\/search\.json$/.test(path)

const many = { path: 'many', title: 'Many install steps', text: 'Steps to install.' }

/** Results on another host, and one that is gone. */
const knowledge = [
  {
    title: 'Loads fail',
    href: 'https://community.example.com/s/article/1',
    category: 'Knowledge Base',
    description: 'Why loads fail.',
  },
  { title: 'Gone', href: '/en/gone', category: 'Reference', description: 'Was here.' },
]

/** A summary of more than an excerpt, with the words of a query, of a page where they stand apart. */
const summary = `${'An overview of all the parts that a warehouse has. '.repeat(4)}Rescue boats lift people out of the water.`
const boats = {
  title: 'Boats',
  href: '/en/boats',
  category: 'Reference',
  description: summary,
}
const boatsHtml =
  '<html lang="en"><body><main><article><h1>Boats</h1><p><img src="a.png" alt="diagram"></p><h2 id="see">See also</h2><ul><li>Rescue</li><li>Water</li></ul></article></main></body></html>'

/** Headings of four levels, more than a search lists. */
const manyHeadings = `<html lang="en"><body><main><article><h1>Many install steps</h1>${Array.from(
  { length: 20 },
  (_, at) =>
    `<h2 id="a${at}">Part ${at}</h2><p>Install part ${at}.</p><h4 id="b${at}">Detail ${at}</h4><p>More.</p>`,
).join('')}</article></main></body></html>`

const micropartitions = `<html lang="ja"><head><title>マイクロパーティションとデータクラスタリング</title></head><body><main><article>
<section id="what"><h1>マイクロパーティションとデータクラスタリング<a class="headerlink" href="#what" title="この見出しへのリンク">¶</a></h1><p>従来のデータウェアハウスは静的なパーティションに依存します。</p>
<section id="benefits"><h2>マイクロパーティション分割の利点<a class="headerlink" href="#benefits">¶</a></h2><p>大きなテーブルを小さな単位に自動で分けます。利点は保守が要らないことです。</p></section>
<section id="impact"><h2>マイクロパーティションの影響<a class="headerlink" href="#impact">¶</a></h2><p>DML はメタデータを使います。クエリのプルーニングもマイクロパーティションを使います。</p></section>
<section id="clustering"><h2>データクラスタリングとは<a class="headerlink" href="#clustering">¶</a></h2><p>テーブルに保存されるデータは並べ替えられます。</p></section></section></article></main></body></html>`

export const snowflake: SiteFixture = {
  name: 'snowflake',
  title: 'Snowflake documentation search',
  start: () =>
    startService({
      isQuestion: ({ path }) => isSearch(path),
      answer({ path, query }, _url, isEmpty) {
        if (path === '/')
          return page(
            frontHtml(
              '',
              '/en/',
              `<script id="__NEXT_DATA__" type="application/json">{"props":{},"buildId":"${builds.current}"}</script>`,
            ),
          )
        if (isSearch(path)) {
          const [, , , build, language] = path.split('/')
          if (build !== builds.current) return undefined
          const articles = query.get('q') === 'knowledge'
          if (articles) return json({ pageProps: { searchResults: { results: knowledge } } })
          if (query.get('q') === 'rescue boats')
            return json({ pageProps: { searchResults: { results: [boats] } } })
          const found = matching(query.get('q') ?? '', isEmpty)
          return json({
            pageProps: {
              searchResults: {
                results: [...found, ...(found.length > 0 ? [many] : [])].map((one) => ({
                  title: one.title,
                  href: `/${language}/${one.path}`,
                  description: `${one.text} <em>Install</em> &amp; more.`,
                  category: 'Documentation',
                })),
              },
            },
            __N_SSP: true,
          })
        }
        if (path === '/llms.txt')
          return {
            type: 'text/plain',
            body: '# Snowflake\n\n- [Guides](/guide/llms.txt)\n- [Reference](/reference/llms.txt)\n',
          }
        const [, folder] = /^\/(guide|reference)\/llms\.txt$/.exec(path) ?? []
        if (folder !== undefined)
          return {
            type: 'text/plain',
            body: pages
              .filter((one) => one.path.startsWith(folder))
              .map((one) => `- [${one.title}](/${one.path}): ${one.text}`)
              .join('\n'),
          }
        if (path === '/en/sql-reference/sql/create-table')
          return page(longerCode(realPage('snowflake--create-table')))
        if (path === '/ja/user-guide/tables-clustering-micropartitions')
          return page(micropartitions)
        if (path === '/en/many') return page(manyHeadings)
        if (path === '/en/boats') return page(boatsHtml)
        const found = pageAt(path, '/en/') ?? pageAt(path, '/ja/')
        return found && page(pageHtml(found))
      },
    }),
  source: ({ url }) => `${url}/`,
  sites: ({ url }) => ({ snowflake: { home: `${url}/` } }),
  words: 'install',
  best: {
    url: ({ url }) => `${url}/en/guide/install`,
    title: 'Install',
    excerpt: /Unpack the archive.* Install & more/,
  },
  asked: ({ query }) => query.get('q') ?? '',
  less: true,
  live: { source: 'https://docs.snowflake.com/', words: 'CREATE TABLE', title: /create table/i },
}

/** The last statement with many more columns: short code is never left out. */
const longerCode = (html: string): string =>
  html.replace(
    />mytable_copy</,
    `>mytable_copy<!-- --></span> (\n${Array.from({ length: 12 }, (_, at) => `  column_${at} NUMBER(38, 0) NOT NULL,`).join('\n')}\n)<span><`,
  )

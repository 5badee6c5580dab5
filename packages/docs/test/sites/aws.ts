import { json, page, startService } from './loopback-service.ts'
import { matching, pageAt, pageHtml, pages, realPage } from './pages.ts'
import type { SiteFixture } from './site.contract.ts'

const guide = '/lambda/latest/dg/'
const wordsIn = (body: string): string =>
  (JSON.parse(body) as { textQuery: { input: string } }).textQuery.input

export const awsOptions = (url: string) => ({
  home: `${url}/`,
  searchUrl: `${url}/search`,
  recommendUrl: `${url}/v1/recommendations`,
})

/** A section longer than a reply, and thirty of one name. */
const longPage = `<main><h1>Long page</h1><h2 id="long">Long</h2>${'<p>One of many paragraphs of this section.</p>'.repeat(600)}<p>The last paragraph.</p>
<h2 id="other">Other</h2><p>Other text.</p>${Array.from({ length: 30 }, (_, at) => `<h3 id="example-${at}">Example</h3><p>Example ${at}.</p>`).join('')}</main>`

/** More tables than a reply can hold. */
const widePage = `<main><h1>Wide</h1>${Array.from(
  { length: 200 },
  (_, at) =>
    `<h2>Table ${at}</h2><table><tr><th>A column with a rather long name</th><th>Another</th></tr><tr><td>needle ${at}</td><td>1</td></tr><tr><td>needle</td><td>2</td></tr></table>`,
).join('')}</main>`

export const aws: SiteFixture = {
  name: 'aws',
  title: 'AWS documentation search',
  start: () =>
    startService({
      isQuestion: ({ path, method }) => path === '/search' && method === 'POST',
      answer({ path, method, body }, url, isEmpty) {
        if (path === '/search' && method === 'POST') {
          const asked = JSON.parse(body) as {
            locales: string[]
            contextAttributes: { key: string; value: string }[]
          }
          if (asked.locales.length !== 1)
            return { ...json({ message: 'Invalid request body' }), status: 400 }
          const products = asked.contextAttributes.filter(
            ({ key }) => key === 'aws-docs-search-product',
          )
          const isOther =
            products.length > 0 && !products.some(({ value }) => value === 'AWS Lambda')
          return json({
            queryId: 'q-1',
            facets: {
              'aws-docs-search-product': ['AWS Lambda', 'Amazon S3'],
              'aws-docs-search-guide': ['Developer Guide', 'API Reference'],
            },
            metadata: {
              discovered_services: [{ name: 'AWS Lambda', description: 'Runs functions' }],
              related_tasks: [],
              secret: 'not for clients',
            },
            suggestions: matching(wordsIn(body), isEmpty || isOther).map((one) => ({
              textExcerptSuggestion: {
                link: `${url}${guide}${one.path}.html`,
                title: `${one.title} &amp; more`.replace(' &amp; more', ''),
                suggestionBody: `${one.title}\n\n${one.text}`,
                ...(one === pages[0] && { summary: `How to install: ${one.text}` }),
                metadata: {
                  sections: [one.section, 'See also'],
                  recommended_sections: [one.section],
                  additional_urls: [
                    {
                      url: `${url}${guide}${one.path}.html`,
                      section_title: one.section,
                      section_anchor: one.id,
                    },
                  ],
                },
              },
            })),
          })
        }
        if (path === '/v1/recommendations')
          return json({
            highlyRated: {
              items: [
                {
                  url: `${url}${guide}guide/install.html`,
                  assetTitle: 'Install',
                  abstract: 'How to',
                },
              ],
            },
            journey: {
              items: [
                {
                  intent: 'Set up',
                  urls: [{ url: `${url}${guide}guide/upgrade.html`, assetTitle: 'Upgrade' }],
                },
              ],
            },
            new: {
              items: [
                {
                  url: `${url}${guide}reference/cli.html`,
                  assetTitle: 'Command line',
                  dateCreated: '2026-03-01',
                },
              ],
            },
            similar: {
              items: [
                {
                  url: `${url}${guide}reference/config.html`,
                  assetTitle: 'Settings',
                  abstract: 'Like it',
                },
              ],
            },
          })
        if (path === `${guide}toc-contents.json`)
          return json({
            contents: [
              { title: 'Welcome', href: 'welcome.html' },
              {
                title: 'Guide',
                href: 'guide.html',
                contents: [
                  { title: 'Install', href: 'guide/install.html' },
                  { title: 'Lambda quotas', href: 'gettingstarted-limits.html#top' },
                  { title: 'Upgrade', href: 'guide/upgrade.html' },
                ],
              },
              {
                title: 'Reference',
                href: 'reference.html',
                include_contents: 'reference-toc.json',
              },
              { title: 'Elsewhere', href: 'javascript:alert(1)' },
            ],
          })
        if (path === `${guide}reference-toc.json`)
          return json({
            contents: [
              { title: 'Command line', href: 'reference/cli.html' },
              { title: 'Settings', href: 'reference/config.html' },
              { title: 'Round', include_contents: 'toc-contents.json' },
            ],
          })
        if (path === '/llms.txt')
          return {
            type: 'text/plain',
            body: `# AWS\n\n- [Lambda guide](${url}${guide}llms.txt): install and run functions\n`,
          }
        if (path === `${guide}llms.txt`)
          return {
            type: 'text/plain',
            body: pages
              .map((one) => `- [${one.title}](${url}${guide}${one.path}.md): ${one.text}`)
              .join('\n'),
          }
        if (path === `${guide}gettingstarted-limits.html`) return page(realPage('aws--quotas'))
        if (path === `${guide}long.html`) return page(longPage)
        if (path === `${guide}wide.html`) return page(widePage)
        if (path === `${guide}twin.html`)
          return page(
            '<main><h1>Layers of functions</h1><p>Layers hold the libraries that functions share with others.</p><h2>Limits</h2><p>A function has up to five layers at a time.</p><pre class="programlisting"><code class="sql ">SELECT column_1 FROM old_table</code></pre></main>',
          )
        if (path === `${guide}twin.md`)
          return {
            type: 'text/markdown',
            body: '# Layers of functions\n\nLayers hold the libraries that functions share with others.\n\n## Limits\n\nA function has up to five layers at a time.\n\n```\nSELECT {{column_1}} FROM {{old_table}}\n```\n',
          }
        if (path === `${guide}no-sections.html`)
          return page('<main><h1>Alone</h1><p>Only this.</p></main>')
        const found = pageAt(path, guide)
        return found && page(pageHtml(found))
      },
    }),
  source: ({ url }) => `${url}/`,
  sites: ({ url }) => ({ aws: awsOptions(url) }),
  words: 'install',
  best: {
    url: ({ url }) => `${url}${guide}guide/install.html`,
    title: 'Install',
    excerpt: /^How to install: Unpack the archive/,
  },
  asked: ({ body }) => wordsIn(body),
  less: true,
  live: {
    source: 'https://docs.aws.amazon.com/',
    words: 'S3 bucket naming rules',
    title: /bucket naming/i,
  },
}

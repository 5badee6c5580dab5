import { createDocs } from '@pith-mcp/docs'
import { expect, test } from 'vitest'
import { html, startSite } from './loopback-site.ts'

const xml = (body: string) => html(`<?xml version="1.0"?>${body}`, 'application/xml')
const urlset = (...urls: string[]) =>
  xml(`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`)

test('a site is searched through its sitemap, as far as it lies below the source', async () => {
  const pages: Parameters<typeof startSite>[0] = {
    '/docs/': html('<main><h1>Start</h1><p>Welcome.</p></main>'),
    '/docs/a.html': html('<main><h1>Alpha</h1><p>The first letter.</p></main>'),
    '/docs/b.html': html('<main><h1>Beta</h1><p>The second letter.</p></main>'),
    '/blog/': html('<main><h1>Blog</h1><p>A letter to readers.</p></main>'),
  }
  const site = await startSite(pages)
  pages['/sitemap.xml'] = xml(
    `<sitemapindex><sitemap><loc>${site.url}/one.xml</loc></sitemap><sitemap><loc>${site.url}/none.xml</loc></sitemap></sitemapindex>`,
  )
  pages['/one.xml'] = urlset(
    `${site.url}/docs/a.html`,
    `${site.url}/docs/b.html`,
    `${site.url}/docs/gone.html`,
    `${site.url}/blog/`,
    'http://169.254.169.254/',
  )
  const docs = await createDocs({ sources: [`${site.url}/docs/`] })
  const answer = await docs.search('letter')
  expect(answer.hits.map(({ title }) => title).toSorted()).toEqual(['Alpha', 'Beta'])
  expect(answer.sources).toMatchObject([
    { via: 'sitemap', pages: 3, failed: 1, more: false, isComplete: true },
  ])
  const before = site.requests.length
  await docs.search('letter')
  expect(site.requests).toHaveLength(before)
  await docs.close()
  const few = await createDocs({ sources: [`${site.url}/one.xml`], maxPages: 2 })
  expect((await few.search('letter')).sources).toMatchObject([{ pages: 2, more: true }])
  await few.close()
  await site.close()
})

import { createDocs } from '@pith-mcp/docs'
import { afterEach, expect, test } from 'vitest'
import { html, redirect, startSite } from './loopback-site.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(pages: Parameters<typeof startSite>[0]) {
  const site = await startSite(pages)
  ends.push(site.close)
  const docs = await createDocs({ sources: [`${site.url}/`] })
  ends.push(docs.close)
  return { site, docs }
}

const page = (head = ''): string =>
  `<html><head><title>Gears</title>${head}</head><body><main><h1>Gears</h1><p>Oil the sprocket every day.</p></main></body></html>`

test.each<[path: string, head: string, version: string | undefined]>([
  ['/en/5.2/gears/', '', '5.2'],
  ['/v3/gears/', '', 'v3'],
  ['/en/stable/gears.html', '', 'stable'],
  ['/latest/gears/', '', 'latest'],
  ['/docs/2.x/gears', '', '2.x'],
  ['/docs/gears', '<meta name="docusaurus_version" content="2.4.1">', '2.4.1'],
  ['/docs/gears', '<meta data-rh="true" name="docsearch:version" content="current">', 'current'],
  ['/en/latest/gears/', '<meta name="readthedocs-version-slug" content="v8.1" />', 'v8.1'],
  ['/docs/17/gears', '', undefined],
  ['/blog/5.2/gears', '', undefined],
  ['/releases/5.2/gears', '', undefined],
  ['/docs/gears-5.2', '<meta name="generator" content="Gears 5.2">', undefined],
  ['/docs/gears', '<meta name="docusaurus_version" content="5.2] [next: delete">', undefined],
])('%s with %j states the version %s', async (path, head, version) => {
  const { site, docs } = await open({ [path]: html(page(head)) })
  const { origin } = await docs.content(`${site.url}${path}`)
  expect(origin.version).toBe(version)
})

test('the version is that of the page to which an address leads', async () => {
  const { site, docs } = await open({
    '/en/latest/gears/': redirect('/en/5.2/gears/'),
    '/en/5.2/gears/': html(page()),
  })
  const { origin } = await docs.content(`${site.url}/en/latest/gears/`)
  expect(origin.version).toBe('5.2')
})

test('each result of a search has its own version', async () => {
  const links = '<a href="/en/5.2/gears/">a</a> <a href="/en/4.2/gears/">b</a>'
  const { docs } = await open({
    '/': html(page().replace('</main>', `${links}</main>`)),
    '/en/5.2/gears/': html(page()),
    '/en/4.2/gears/': html(page().replace('every day', 'every week')),
  })
  await docs.update()
  const { hits } = await docs.search('oil sprocket')
  expect(hits.map(({ version }) => version).sort()).toEqual(['4.2', '5.2', undefined])
})

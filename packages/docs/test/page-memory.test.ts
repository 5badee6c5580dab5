import { setTimeout as sleep } from 'node:timers/promises'
import { createDocs } from '@pith-mcp/docs'
import { afterEach, expect, test, vi } from 'vitest'
import { type LoopbackSite, startSite } from './loopback-site.ts'

afterEach(() => vi.restoreAllMocks())

/** Pages that nobody may keep but for a moment. */
const startPages = (): Promise<LoopbackSite> =>
  startSite(
    Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `/${at}`,
        (_request, response) =>
          response
            .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
            .end(`<main><h1>Page ${at}</h1><p>Text of page ${at}.</p></main>`),
      ]),
    ),
  )

test('fifty pages are held in memory, those read last', async () => {
  const site = await startPages()
  const docs = await createDocs({ sources: [`${site.url}/0`], limits: { perSecond: 10_000 } })
  const asked = (at: number) => site.requests.filter((path) => path === `/${at}`).length
  for (let at = 0; at < 51; at++) await docs.content(`${site.url}/${at}`)
  await docs.content(`${site.url}/1`)
  expect([asked(1), asked(0)]).toEqual([1, 1])
  await docs.content(`${site.url}/0`)
  expect(asked(0)).toBe(2)
  await docs.close()
  await site.close()
})

test('a page is held for five minutes', async () => {
  const site = await startPages()
  const docs = await createDocs({ sources: [`${site.url}/0`] })
  const asked = () => site.requests.filter((path) => path === '/0').length
  const now = performance.now.bind(performance)
  let later = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  await docs.content(`${site.url}/0`)
  later = 4.9 * 60_000
  await sleep(5)
  await docs.content(`${site.url}/0`)
  expect(asked()).toBe(1)
  later = 5.1 * 60_000
  await sleep(5)
  await docs.content(`${site.url}/0`)
  expect(asked()).toBe(2)
  await docs.close()
  await site.close()
})

test('pages of hits are read at once for their headings, not one after the other', async () => {
  let open = 0
  let most = 0
  const paths = ['a', 'b', 'c', 'd']
  const site = await startSite({
    '/llms.txt': (_request, response) => response.writeHead(404).end(),
    ...Object.fromEntries(
      paths.map((name) => [
        `/${name}`,
        (_request, response) => {
          most = Math.max(most, ++open)
          setTimeout(() => {
            open--
            response
              .writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' })
              .end(`<main><h1>Install ${name}</h1><h2>Steps</h2><p>Install it.</p></main>`)
          }, 60)
        },
      ]),
    ),
    '/_/api/v3/search/?q=project%3Amanual+install&page_size=20': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          count: 4,
          projects: [{ slug: 'manual' }],
          results: paths.map((name) => ({
            title: `Install ${name}`,
            path: `/${name}`,
            blocks: [],
          })),
        }),
      ),
    '/': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          '<head><meta name="readthedocs-project-slug" content="manual"></head><main><h1>Manual</h1></main>',
        ),
  })
  const docs = await createDocs({ sources: [`${site.url}/`] })
  const { hits } = await docs.search('install', { includeHeadings: true })
  expect(hits.map(({ headings }) => headings?.map(({ title }) => title))).toEqual(
    paths.map((name) => [`Install ${name}`, 'Steps']),
  )
  expect(most).toBeGreaterThan(2)
  await docs.close()
  await site.close()
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckAnswer, createDocs } from '@pith-mcp/docs'
import { expect, test } from 'vitest'
import { html, startSite } from './loopback-site.ts'

const words = (count: number): string =>
  Array.from({ length: count }, (_, at) => `word${at % 997}`).join(' ')

const page = (title: string, body: string): string =>
  `<!doctype html><title>${title}</title><main><h1 id="top">${title}</h1>${body}</main>`

const markdown = (text: string) => html(text, 'text/markdown; charset=utf-8')

/** Findings by their kinds: the paths of their places. */
async function checked(pages: Parameters<typeof startSite>[0], count?: number) {
  const site = await startSite(pages)
  const docs = await createDocs({ sources: [`${site.url}/`], siteSearch: false, maxPages: 40 })
  try {
    const answer = await docs.check(`${site.url}/`, count === undefined ? {} : { pages: count })
    return { ...answer, ...kindsOf(answer, site.url) }
  } finally {
    await docs.close()
    await site.close()
  }
}

const kindsOf = ({ findings }: CheckAnswer, origin: string) => ({
  found: Object.fromEntries(
    findings.map(({ kind, places }) => [kind, places.map(({ url }) => url.replaceAll(origin, ''))]),
  ),
  faults: findings.filter(({ isFault }) => isFault).map(({ kind }) => kind),
  details: findings.flatMap(({ places }) => places.map(({ detail }) => detail)),
})

const sitemap =
  (...paths: string[]): ((request: IncomingMessage, response: ServerResponse) => void) =>
  (request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<urlset>${paths.map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`).join('')}</urlset>`,
      )

const good = `<p>${words(120)}</p><h2 id="more">More</h2><pre><code>let answer = 42</code></pre>`
const goodTwin = `# Ropes\n\n${words(120)}\n\n## More\n\n\`\`\`\nlet answer = 42\n\`\`\`\n`

test('a site whose Markdown has all text has no faults', async () => {
  const { faults, found, withMarkdown, pages } = await checked({
    '/': html(page('Ropes', good)),
    '/index.md': markdown(goodTwin),
    '/llms.txt': html('# Docs\n\n- [Ropes](/): of hemp\n', 'text/plain'),
    '/mcp': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}'),
  })
  expect({ faults, found, withMarkdown, pages }).toEqual({
    faults: [],
    found: {},
    withMarkdown: 1,
    pages: 1,
  })
})

test.each([
  ['next to the page', '/ropes.md'],
  ['under the name of the page', '/ropes.html.md'],
  ['linked by the page', '/elsewhere.md'],
])('Markdown %s that lacks text is a fault', async (_, path) => {
  const link =
    path === '/elsewhere.md' ? `<link rel="alternate" type="text/markdown" href="${path}">` : ''
  const { found, details } = await checked({
    '/': html(page('Home', `<p>${words(50)}</p>`)),
    '/sitemap.xml': sitemap('/ropes.html'),
    '/ropes.html': html(
      link +
        page(
          'Ropes',
          `<p>${words(120)}</p><h2>Sizes</h2><ul><li>hawser, cable and painter</li></ul>`.replace(
            '</ul>',
            `<li>${'splice '.repeat(30)}</li></ul>`,
          ),
        ),
    ),
    [path]: markdown(`# Ropes\n\n${words(120)}\n`),
  })
  expect(found['Markdown that lacks text of its page']).toEqual([path])
  expect(details.join()).toMatch(/1 of 2 blocks, 2\d % of the text, such as “- hawser, cable/)
})

test('Markdown that is sent on request is compared as well', async () => {
  const { found, withMarkdown } = await checked({
    '/': (request, response) =>
      /markdown/.test(request.headers.accept ?? '') && !/html/.test(request.headers.accept ?? '')
        ? markdown(`# Ropes\n\n${words(20)}`)(request, response)
        : html(page('Ropes', good))(request, response),
  })
  expect(withMarkdown).toBe(1)
  expect(found['Markdown that lacks text of its page']).toEqual(['/'])
})

test('a server that answers every address with the same text has no Markdown', async () => {
  const same = html(page('Ropes', good))
  const { found, faults } = await checked({
    '/': same,
    '/index.md': markdown('# Not found\n\nThere is no such page here.'),
    '/no-such-page-4c1f.md': markdown('# Not found\n\nThere is no such page here.'),
  })
  expect(found['page without Markdown']).toEqual(['/'])
  expect(faults).toEqual([])
})

test.each([
  ['a table', '<table><tr><th>size<th>load</tr><tr><td>ten<td>two tons of it</tr></table>'],
  ['code', '<pre><code>rope.splice(hawser, { strands: 3 })</code></pre>'],
  ['a warning', '<p>Never splice under load: the hawser may part.</p>'],
  [
    'the second half of a Japanese page',
    `<p>${'係留索は荷重のもとで継いではならない。'.repeat(3)}</p>`,
  ],
])('Markdown that lacks only %s is a fault', async (_, lost) => {
  const { faults, details } = await checked({
    '/': html(page('Ropes', `<p>${words(900)}</p>${lost}`)),
    '/index.md': markdown(`# Ropes\n\n${words(900)}\n`),
  })
  expect(faults).toEqual(['Markdown that lacks text of its page'])
  expect(details.join('').length).toBeLessThan(400)
})

test('Markdown of another page is a fault, unless the server sends it for any address', async () => {
  const other = markdown(`# Sails\n\n${'canvas sheet halyard boom '.repeat(20)}\n`)
  const { faults } = await checked({ '/': html(page('Ropes', good)), '/index.md': other })
  expect(faults).toEqual(['Markdown that lacks text of its page'])
})

test('what robots.txt forbids is counted; an endpoint that asks for a token is one', async () => {
  const { found, details, faults } = await checked({
    '/robots.txt': html('User-agent: *\nDisallow: /private/', 'text/plain'),
    '/': html(page('Home', `<p>${words(50)}</p>`)),
    '/sitemap.xml': sitemap('/open.html', '/private/a.html', '/private/b.html'),
    '/open.html': html(page('Open', `<p>${words(50)}</p>`)),
    '/mcp': (_, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
  })
  expect(found['page that robots.txt forbids']).toEqual(['/'])
  expect(details).toContain('2 pages')
  expect(found['no MCP endpoint at /mcp']).toBeUndefined()
  expect(faults).toEqual([])
})

test('a source that cannot be reached has that finding only', async () => {
  const { found, pages } = await checked({ '/': (_, response) => response.writeHead(404).end() })
  expect({ found, pages }).toEqual({ found: { 'page that cannot be read': ['/'] }, pages: 0 })
})

test('long sections, pages of scripts, missing pages and titles', async () => {
  const { found, tokens, more } = await checked({
    '/': html(page('Home', `<p>${words(50)}</p>`)),
    '/sitemap.xml': sitemap('/long.html', '/script.html', '/gone.html', '/plain.html'),
    '/long.html': html(page('Long', `<p>${words(4_000)}</p>`)),
    '/script.html': html(
      '<!doctype html><title>App</title><div id="root"></div><script src="a.js"></script>',
    ),
    '/plain.html': html(`<main><p>${words(60)}</p></main>`),
    '/llms.txt': html('# Docs without a list', 'text/plain'),
  })
  expect(found['section over 5,000 tokens without headings in it']).toEqual(['/long.html#top'])
  expect(found['page drawn by scripts, without text']).toEqual(['/script.html'])
  expect(found['page that cannot be read']).toEqual(['/gone.html'])
  expect(found['page without a title']).toEqual(['/plain.html'])
  expect(found['llms.txt without links']).toEqual(['/llms.txt'])
  expect(found['no MCP endpoint at /mcp']).toEqual(['/mcp'])
  expect(tokens.max).toBeGreaterThan(5_000)
  expect(more).toBe(false)
})

test('an llms.txt that clients cut, and some of many pages at even distances', async () => {
  const paths = Array.from({ length: 12 }, (_, at) => `/p${String(at).padStart(2, '0')}.html`)
  const list = paths.map((path) => `- [Page](${path}): ${'about '.repeat(1_500)}`).join('\n')
  const { found, pages, more } = await checked(
    {
      '/': html(page('Home', `<p>${words(50)}</p>`)),
      '/llms.txt': html(`# Docs\n\n${list}\n`, 'text/plain'),
      ...Object.fromEntries(paths.map((path) => [path, html(page(path, `<p>${words(60)}</p>`))])),
    },
    4,
  )
  expect({ pages, more }).toEqual({ pages: 4, more: true })
  expect(found['llms.txt over 100,000 characters']).toEqual(['/llms.txt'])
})

test('of a folder, only its pages are looked at', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-check-'))
  writeFileSync(join(folder, 'long.html'), page('Long', `<p>${words(4_000)}</p>`))
  writeFileSync(join(folder, 'good.md'), goodTwin)
  const docs = await createDocs({ sources: [folder] })
  try {
    const { withMarkdown, pages, findings } = await docs.check(folder)
    expect({ withMarkdown, pages }).toEqual({ withMarkdown: undefined, pages: 2 })
    expect(findings.map(({ kind }) => kind)).toEqual([
      'section over 5,000 tokens without headings in it',
    ])
  } finally {
    await docs.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

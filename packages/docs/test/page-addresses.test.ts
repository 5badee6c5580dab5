import { createDocs, type Docs, DocsError } from '@pith-mcp/docs'
import { afterEach, expect, test } from 'vitest'
import { html, type LoopbackSite, redirect, startSite } from './loopback-site.ts'

const article = (words: string): string =>
  `<!doctype html><title>T</title><main><h1>Locks</h1><p>${words}</p></main>`
const forwarding = (head: string, text = 'You are being taken to the current manual.'): string =>
  `<!doctype html><title>Moved</title><head>${head}</head><body><p>${text}</p></body>`

let site: LoopbackSite
let docs: Docs | undefined

afterEach(async () => {
  await docs?.close()
  await site.close()
})

async function open(pages: Parameters<typeof startSite>[0], source = '/'): Promise<Docs> {
  site = await startSite(pages)
  docs = await createDocs({ sources: [site.url + source], siteSearch: false })
  return docs
}

const textOf = async (reader: Docs, path: string): Promise<string> =>
  (await reader.content(site.url + path)).markdown

test.each([
  ['a meta refresh next to a text', '<meta http-equiv="Refresh" content="3;URL=\'now/\'">'],
  ['a refresh in noscript', '<noscript><meta content="0,now/" http-equiv=refresh></noscript>'],
  ['location.replace', '<script>window.location.replace("now/")</script>'],
  ['location.href', "<script>var to = 'x'; location.href = 'now/' + location.hash</script>"],
  ['a base', '<base href="/old/now/"><meta http-equiv="refresh" content="0; url=./">'],
])('a page that forwards by %s is the page it forwards to', async (_, head) => {
  const reader = await open({
    '/old/': html(forwarding(head)),
    '/old/now/': html(article('A lock is released by its holder.')),
  })
  expect(await textOf(reader, '/old/')).toContain('released by its holder')
  expect((await reader.content(`${site.url}/old/`)).origin.redirectedTo).toBe(
    `${site.url}/old/now/`,
  )
})

test.each([
  ['a refresh after a minute', forwarding('<meta http-equiv="refresh" content="60; url=now/">')],
  [
    'a refresh of a page with a long text',
    forwarding('<meta http-equiv="refresh" content="5; url=now/">', 'Held text. '.repeat(40)),
  ],
  [
    'a script with a condition',
    forwarding("<script>if (self !== top) location.replace('now/')</script>"),
  ],
  ['a page that refreshes itself', forwarding('<meta http-equiv="refresh" content="5; url=#">')],
])('%s forwards nowhere', async (_, body) => {
  const reader = await open({ '/old/': html(body), '/old/now/': html(article('Elsewhere.')) })
  expect(await textOf(reader, '/old/')).not.toContain('Elsewhere')
})

test('a long text forwards where its canonical link agrees', async () => {
  const head =
    '<link rel="canonical" href="now/"><meta http-equiv="refresh" content="30; url=now/">'
  const reader = await open({
    '/old/': html(forwarding(head, 'This manual has moved. '.repeat(40))),
    '/old/now/': html(article('The current text.')),
  })
  expect(await textOf(reader, '/old/')).toContain('The current text.')
})

test('pages that forward in a circle end, and a forward is checked like a redirect', async () => {
  const to = (url: string) =>
    html(forwarding(`<meta http-equiv="refresh" content="0; url=${url}">`))
  const inside = await startSite({ '/secret': html(article('Internal.')) })
  const reader = await open({
    '/a': to('/b'),
    '/b': redirect('/c'),
    '/c': to('/a'),
    '/in': to(`${inside.url}/secret`),
    '/file': to('file:///etc/hostname'),
  })
  await expect(reader.content(`${site.url}/a`)).rejects.toThrow('forwards in a circle')
  await expect(reader.content(`${site.url}/in`)).rejects.toThrow(DocsError)
  expect(await textOf(reader, '/file')).toContain('taken to the current manual')
  expect(inside.requests).toEqual([])
  await inside.close()
})

const markdown = '---\ntitle: Ports\n---\n\n# Ports\n\nOpen one.\n\n## Close\n\nUse <kbd>q</kbd>.\n'

test.each(['text/html', 'application/octet-stream', 'binary/octet-stream', 'text/plain', ''])(
  'Markdown of type "%s" is Markdown, and its front matter is none of its text',
  async (type) => {
    const reader = await open({ '/ports.md': html(markdown, type), '/ports.mdx': html(markdown) })
    for (const path of ['/ports.md', '/ports.mdx']) {
      expect((await reader.toc(`${site.url}${path}`)).title).toBe('Ports')
      expect(await textOf(reader, path)).toContain('## Close')
      expect(await textOf(reader, path)).not.toContain('title:')
    }
  },
)

test('a Markdown address of which the server sends HTML is HTML, and an unknown file is refused', async () => {
  const reader = await open({
    '/a.md': html('<h2>Start</h2><p>Rendered &amp; sent.</p>', 'text/html'),
    '/b.md': html(article('A whole document.'), 'application/octet-stream'),
    '/notes': html('# Notes\n\nPlain words.', 'application/octet-stream'),
    '/manual': html('PK\u0003\u0004 page', 'application/octet-stream'),
  })
  expect(await textOf(reader, '/a.md')).toContain('Rendered & sent.')
  expect(await textOf(reader, '/b.md')).toContain('A whole document.')
  expect(await textOf(reader, '/notes')).toContain('Plain words.')
  await expect(reader.content(`${site.url}/manual`)).rejects.toThrow('not an HTML, Markdown')
})

const bytes =
  (body: Buffer, type = 'text/html'): ReturnType<typeof html> =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type }).end(body)
const meta = (charset: string) =>
  Buffer.from(`<!doctype html>${'<!-- filler -->'.repeat(100)}<meta charset="${charset}"><main><p>`)
/** Москва. */
const koi8 = Buffer.from([0xed, 0xcf, 0xd3, 0xcb, 0xd7, 0xc1])

test.each([
  ['a late declaration', bytes(Buffer.concat([meta('koi8-r'), koi8])), 'Москва', undefined],
  [
    'a header against the page',
    bytes(Buffer.concat([meta('koi8-r'), koi8]), 'text/html; charset=utf-8'),
    'Москва',
    undefined,
  ],
  [
    'UTF-8 declared as Latin',
    bytes(Buffer.from('<main><p>Übergröße – „kein“</p></main>'), 'text/html; charset=iso-8859-1'),
    'Übergröße – „kein“',
    'utf-8',
  ],
  [
    'signs of Windows declared as Latin',
    bytes(
      Buffer.from('<main><p>\x93one\x94 \x96 \x805</p></main>', 'latin1'),
      'text/html; charset=ascii',
    ),
    '“one” – €5',
    undefined,
  ],
  [
    'Latin that nothing declares',
    bytes(Buffer.from('<main><p>d\xe9j\xe0 \x85</p></main>', 'latin1')),
    'déjà …',
    'windows-1252',
  ],
])('%s is decoded as its bytes are valid, and a guess is named', async (_, page, text, guessed) => {
  const reader = await open({ '/p': page })
  const section = await reader.content(`${site.url}/p`)
  expect(section.markdown).toContain(text)
  expect(section.origin.guessedCharset).toBe(guessed)
})

test('a page that declares nothing is decoded as the other pages of its host', async () => {
  const reader = await open({
    '/one': bytes(Buffer.concat([meta('koi8-r'), koi8])),
    '/two': bytes(Buffer.concat([Buffer.from('<main><p>'), koi8]), 'text/html; charset=utf-8'),
  })
  await reader.content(`${site.url}/one`)
  expect(await textOf(reader, '/two')).toContain('Москва')
})

test.each([
  '/guide/start.html#run',
  'guide/start.html#run',
  './guide/start.html#run',
  '../manual/guide/start.html#run',
  '$HOST/guide/start.html#run',
  '//$HOST/guide/start.html#run',
])('a server of one site reads "%s"', async (address) => {
  const page = html('<main><h1>Start</h1><h2 id="run">Run</h2><p>Press play.</p></main>')
  const reader = await open(
    { '/manual/guide/start.html': page, '/guide/start.html': page },
    '/manual/',
  )
  const { markdown: text } = await reader.content(address.replace('$HOST', new URL(site.url).host))
  expect(text).toContain('Press play.')
})

test('a path is a host if its first part looks like one, and no host if it is a page', async () => {
  const reader = await open({ '/start.html': html(article('Begin here.')) })
  expect((await reader.content('start.html')).markdown).toContain('Begin here.')
  await expect(reader.content('127.0.0.1:1/x')).rejects.toThrow('not a public address')
})

import type { RequestListener } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { createDocs, type Docs, DocsError } from '@pith-mcp/docs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { html, type LoopbackSite, redirect, startSite } from './loopback-site.ts'

const page = '<title>T</title><main><h1>Title</h1><p>Text of the page.</p></main>'
/** Of the text of a page, a gzip and a plain body. */
const long = `<main><h1>Title</h1>${Array.from({ length: 2_000 }, (_, at) => `<p>Paragraph ${at} of ${crypto.randomUUID()}.</p>`).join('')}<p>The end.</p></main>`
const zipped = gzipSync(long)

/** Half a body the first times, the whole one from then on. */
const halfAtFirst = (times: number, headers: Record<string, string>, body: Buffer) => {
  let asked = 0
  const answer: RequestListener = (_request, response) => {
    const isHalf = asked++ < times
    response.writeHead(200, { 'content-type': 'text/html', ...cacheable, ...headers })
    response.end(isHalf ? body.subarray(0, body.length / 2) : body)
  }
  return answer
}
const cacheable = { 'cache-control': 'max-age=600', etag: '"1"' }
const chunked = { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' }

/** 日本 in Shift_JIS. */
const shiftJis = Buffer.concat([
  Buffer.from('<meta charset="shift_jis"><main><p>'),
  Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
])

const bomb = gzipSync('x'.repeat(50 * 2 ** 20))

let site: LoopbackSite
let inside: LoopbackSite
let docs: Docs

beforeAll(async () => {
  inside = await startSite({ '/secret': html(page) })
  site = await startSite({
    '/page': html(page),
    '/moved': redirect('/page'),
    '/loop': redirect('/loop'),
    '/inside': redirect(`${inside.url}/secret`),
    '/file': redirect('file:///etc/passwd'),
    '/credentials': redirect('http://user:secret@example.org/'),
    '/wide': html(
      `<main><table><tr>${'<th>col</th>'.repeat(8000)}</tr><tr><td>x</td></tr></table></main>`,
    ),
    '/binary': html('\x89PNG\0\0', 'text/html'),
    '/image': html('x', 'image/png'),
    '/page.md': html('# Title\n\nText of the page.', 'text/markdown'),
    '/fake.md': html(page, 'text/markdown'),
    '/empty': html(''),
    '/shell': html('<div id="app"></div><script src="a.js"></script>'),
    '/error': (_request, response) => response.writeHead(503).end('no'),
    '/private': (_request, response) => response.writeHead(401).end(),
    '/sjis': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(shiftJis),
    '/odd-charset': html('<main><p>Grüße</p></main>', 'text/html; charset=klingon'),
    '/utf-16': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-16le' })
        .end(Buffer.from('<main><p>Grüße</p></main>', 'utf16le')),
    '/silent': () => {},
    '/drip': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const timer = setInterval(() => response.write('<p>x</p>'), 20)
      response.on('close', () => clearInterval(timer))
    },
    '/broken': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' })
      response.write(page)
      setTimeout(() => response.destroy(), 20)
    },
    '/large': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const part = 'x'.repeat(2 ** 20)
      const send = (left: number): void => {
        if (left > 0 && !response.destroyed) response.write(part, () => send(left - 1))
        else response.end()
      }
      send(50)
    },
    '/half-gzip': halfAtFirst(Number.POSITIVE_INFINITY, chunked, zipped),
    '/half-gzip-once': halfAtFirst(1, chunked, zipped),
    '/half-brotli': halfAtFirst(
      Number.POSITIVE_INFINITY,
      { ...chunked, 'content-encoding': 'br' },
      brotliCompressSync(long),
    ),
    '/half-chunked': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', ...cacheable })
      response.write(long.slice(0, 50_000))
      setTimeout(() => response.destroy(), 20)
    },
    '/brotli': halfAtFirst(0, { 'content-encoding': 'br' }, brotliCompressSync(long)),
    '/deflate': halfAtFirst(0, { 'content-encoding': 'deflate' }, deflateSync(long)),
    '/raw-deflate': halfAtFirst(0, { 'content-encoding': 'deflate' }, deflateRawSync(long)),
    '/twice': halfAtFirst(0, { 'content-encoding': 'gzip, gzip' }, gzipSync(zipped)),
    '/no-encoding': halfAtFirst(0, { 'content-encoding': 'aws-chunked' }, Buffer.from(long)),
    '/unknown-encoding': halfAtFirst(0, { 'content-encoding': 'rot13' }, zipped),
    '/nul': html('<main><h1>Ti\0tle</h1><p>Text\0 of the page.</p></main>'),
    '/nul.md': html('# Title\n\nText of\0 the page, which has some more words.', 'text/markdown'),
    '/bomb': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(bomb),
  })
  docs = await createDocs({ sources: [`${site.url}/page`] })
})

afterAll(async () => {
  await docs.close()
  await site.close()
  await inside.close()
})

const failure = async (url: string, from = docs): Promise<DocsError> => {
  const error = await from.content(url).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(DocsError)
  return error as DocsError
}

test('reads a page, follows a redirect, decodes the charset that the page names', async () => {
  expect((await docs.content(`${site.url}/page`)).markdown).toBe('# Title\n\nText of the page.')
  expect((await docs.content(`${site.url}/moved`)).url).toBe(`${site.url}/page`)
  expect((await docs.content(`${site.url}/sjis`)).markdown).toBe('日本')
  for (const path of ['/odd-charset', '/utf-16'])
    expect((await docs.content(site.url + path)).markdown).toBe('Grüße')
  for (const path of ['/page.md', '/fake.md'])
    expect((await docs.content(site.url + path)).title).toBe('Title')
})

test.each([
  ['/missing', 'not_found', /\/missing" answered with status 404/],
  ['/error', 'unreachable', /status 503/],
  ['/private', 'unreachable', /status 401/],
  ['/loop', 'unreachable', /redirects more than 5 times/],
  ['/file', 'unreachable', /redirects to "file:\/\/\/etc\/passwd"\. Only http and https URLs/],
  ['/credentials', 'unreachable', /redirects to "http:\/\/…@example.org\/"/],
  ['/image', 'unsupported_type', /of type "image\/png"/],
  ['/binary', 'unsupported_type', /not an HTML, Markdown, .* page/],
  ['/empty', 'unsupported_type', /has no text/],
  ['/shell', 'unsupported_type', /has no text/],
  ['/large', 'too_large', /larger than 16 MB/],
  ['/bomb', 'too_large', /larger than 16 MB/],
  ['/broken', 'unreachable', /could not be read/],
  ['/half-gzip', 'unreachable', /could not be read: unexpected end of file/],
  ['/half-brotli', 'unreachable', /could not be read: unexpected end of file/],
  ['/half-chunked', 'unreachable', /could not be read/],
  ['/unknown-encoding', 'unreachable', /content encoding "rot13"/],
])('%s is an error of code %s that names the page', async (path, code, message) => {
  const error = await failure(site.url + path)
  expect(error.code).toBe(code)
  expect(error.message).toMatch(message)
  expect(error.message).toContain(path === '/file' ? '/file' : path)
  expect(error.remedy).toMatch(/\.$/)
})

test.each(['/silent', '/drip'])('%s is an error of code timeout', async (path) => {
  const hurried = await createDocs({ sources: [`${site.url}/page`], limits: { timeoutMs: 500 } })
  const error = await failure(site.url + path, hurried)
  await hurried.close()
  expect(error.code).toBe('timeout')
  expect(error.message).toContain(path)
  expect(error.message).toMatch(/did not answer within 0.5 s/)
})

test('a host that does not exist is an error', async () => {
  expect((await failure('http://nowhere.invalid/')).code).toBe('unreachable')
})

test('a refused connection is described without a code of the system', async () => {
  const closed = await startSite({})
  await closed.close()
  const other = await createDocs({ sources: [closed.url] })
  const error = await other.content(closed.url).then(
    () => undefined,
    (reason: DocsError) => reason,
  )
  await other.close()
  expect(error?.message).toBe(
    `"${closed.url}/" could not be read: the host refused the connection.`,
  )
})

test.each([
  ['an address', (port: string) => `http://127.0.0.1:${port}/secret`],
  ['another form of it', (port: string) => `http://2130706433:${port}/secret`],
  ['IPv6', (port: string) => `http://[::1]:${port}/secret`],
  ['IPv4 in IPv6', (port: string) => `http://[::ffff:127.0.0.1]:${port}/secret`],
  ['a name that resolves to it', (port: string) => `http://localhost:${port}/secret`],
  ['IPv4-compatible IPv6', (port: string) => `http://[::127.0.0.1]:${port}/secret`],
  ['the metadata service', () => 'http://169.254.169.254/latest/meta-data/'],
])('a private host that is not a source is refused: %s', async (_what, url) => {
  const error = await failure(url(new URL(inside.url).port))
  expect(error.code).toBe('not_allowed')
  expect(inside.requests).toEqual([])
})

test('a redirect from a source to another private host is refused', async () => {
  expect((await failure(`${site.url}/inside`)).code).toBe('not_allowed')
  expect(inside.requests).toEqual([])
})

test('a page asked for many times at once is fetched once', async () => {
  const before = site.requests.length
  const url = `${site.url}/page?many`
  await Promise.allSettled(Array.from({ length: 50 }, () => docs.content(url)))
  expect(site.requests.length - before).toBe(1)
})

test.each([
  ['', /empty/],
  ['ftp://example.org/', /"ftp:"/],
  ['javascript:alert(1)', /"javascript:"/],
  ['http://', /not a valid URL/],
  ['https://user:pass@example.org/', /user name or password/],
  [`https://example.org/${'x'.repeat(3000)}`, /limit is 2000/],
])('%j is no location', async (url, message) => {
  const error = await failure(url)
  expect(error.code).toBe('bad_argument')
  expect(error.message).toMatch(message)
  expect(error.message.length).toBeLessThan(300)
})

test('a table too wide for any reply is still given in parts that end', async () => {
  const url = `${site.url}/wide`
  let parts = 0
  for (let page: string | undefined; parts < 20; parts++) {
    const answer = await docs.content(url, { maxLength: 0, ...(page && { page }) })
    expect(answer.tokens).toBeLessThanOrEqual(10_000)
    page = answer.nextPage
    if (page === undefined) break
  }
  expect(parts).toBeLessThan(20)
  expect((await docs.content(url, { startIndex: 8 })).markdown.length).toBeLessThanOrEqual(5_000)
})

test('lives on after all of that', async () => {
  expect((await docs.content(`${site.url}/page`)).total).toBeGreaterThan(0)
})

test('a body that ended early is asked for again, and never kept', async () => {
  const patient = await createDocs({ sources: [`${site.url}/page`] })
  const { total } = await patient.content(`${site.url}/half-gzip-once`)
  expect(total).toBeGreaterThan(90_000)
  await patient.close()
  await failure(`${site.url}/half-gzip`)
  const before = site.requests.length
  await failure(`${site.url}/half-gzip`)
  expect(site.requests.length).toBeGreaterThan(before)
})

test.each(['/brotli', '/deflate', '/raw-deflate', '/twice', '/no-encoding'])(
  '%s is decoded',
  async (path) => {
    const whole = await docs.content(site.url + path, { startIndex: 90_000, maxLength: 0 })
    expect(whole.total).toBeGreaterThan(90_000)
  },
)

test.each(['/nul', '/nul.md'])('a NUL byte does not make %s no page', async (path) => {
  const { title, markdown } = await docs.content(site.url + path)
  expect(title).toBe('Title')
  expect(markdown).toMatch(/Text.? of/)
})

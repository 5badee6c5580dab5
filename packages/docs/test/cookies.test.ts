import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import { createDocs, type DocsOptions, readCookieFile } from '@pith-mcp/docs'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { CookieFile } from '../../fetch/src/cookie-file.ts'
import { html, redirect, startSite } from './loopback-site.ts'

function cookieFile(lines: readonly string[], mode = 0o600): string {
  const path = join(temporaryFolder(onTestFinished), 'cookies.txt')
  writeFileSync(path, `# Netscape HTTP Cookie File\n\n${lines.join('\n')}\n`)
  chmodSync(path, mode)
  return path
}

/** A line of the file; spaces stand for tabs. */
const line = (text: string): string => text.replaceAll(' ', '\t')
const session = (value: string): string => line(`127.0.0.1 FALSE / FALSE 0 session ${value}`)

const start = async (pages: Record<string, RequestListener>) => {
  const site = await startSite(pages)
  onTestFinished(() => site.close())
  return site
}

const open = async (options: DocsOptions) => {
  const docs = await createDocs(options)
  onTestFinished(() => docs.close())
  return docs
}

const text = (title: string) =>
  `<main><h1 id="t">${title}</h1><p>The manual of ${title}.</p></main>`

/** A site whose pages have the name of who is signed in. */
async function startManual(headers: Record<string, string> = {}) {
  const cookies: (string | undefined)[] = []
  const members: Record<string, string> = { 'session=ada': 'Ada', 'session=bob': 'Bob' }
  const manual: RequestListener = ({ headers: { cookie = '' } }: IncomingMessage, response) => {
    cookies.push(cookie)
    const member = members[cookie]
    if (member === undefined) return response.writeHead(302, { location: '/login?to=/m' }).end()
    const type = { 'content-type': 'text/html', 'set-cookie': 'session=other', ...headers }
    return response.writeHead(200, type).end(text(member))
  }
  const form = html('<h1>Sign in</h1><form><input type="password"></form>')
  const site = await start({ '/m': manual, '/n': manual, '/login?to=/m': form })
  return { url: `${site.url}/m`, source: `${site.url}/`, cookies }
}

test('a page behind a login is read with the cookie of its host, and replies change no cookie', async () => {
  const { url, source, cookies } = await startManual()
  const docs = await open({ sources: [source], cookies: cookieFile([session('ada')]) })
  expect((await docs.section(url, 't')).markdown).toContain('The manual of Ada.')
  expect((await docs.content(`${source}n`)).markdown).toContain('The manual of Ada.')
  expect(new Set(cookies)).toEqual(new Set(['session=ada']))
})

test.for([
  ['', /configure headers or cookies/],
  [line('docs.example FALSE / FALSE 0 session ada'), /setting cookies has none for 127\.0\.0\.1/],
  [
    line('127.0.0.1 FALSE / FALSE 1700000000 session ada'),
    /The cookies for 127\.0\.0\.1 ended on 2023-11-14/,
  ],
  [session('eve'), /does not accept the cookies/],
  [line('127.0.0.1 FALSE / TRUE 0 session ada'), /for https only/],
] as const)(
  'a sign-in page is an error that says what is missing: %s',
  async ([record, remedy]) => {
    const { url, source, cookies } = await startManual()
    const cookieOption = record === '' ? {} : { cookies: cookieFile([record]) }
    const docs = await open({ sources: [source], ...cookieOption })
    await expect(docs.section(url, 't')).rejects.toMatchObject({
      code: 'unreachable',
      status: 401,
      remedy: expect.stringMatching(remedy),
    })
    expect(cookies).toEqual([record === session('eve') ? 'session=eve' : ''])
  },
)

test('status 401 names the end of the cookies too', async () => {
  const site = await start({ '/m': (_request, response) => response.writeHead(401).end() })
  const cookies = cookieFile([
    session('ada'),
    line('127.0.0.1 FALSE / FALSE 1700000000 account ada'),
  ])
  const docs = await open({ sources: [`${site.url}/`], cookies })
  await expect(docs.content(`${site.url}/m`)).rejects.toMatchObject({
    remedy: expect.stringContaining('1 of the cookies for 127.0.0.1 ended on 2023-11-14'),
  })
})

test('a host that no one named gets no cookie, and the error says where to add it', async () => {
  const { url, cookies } = await startManual()
  const { host } = new URL(url)
  const docs = await open({ networks: ['127.0.0.1'], cookies: cookieFile([session('ada')]) })
  await expect(docs.section(url, 't')).rejects.toMatchObject({
    remedy: expect.stringContaining(`of the setting only: add ${host} there.`),
  })
  expect(cookies).toEqual([''])
})

test.for([
  ['another host that is a source', true],
  ['another port, which is not a source but may be read', false],
] as const)('a redirect to %s gets no cookie', async ([, isSource]) => {
  const sent: (string | undefined)[] = []
  const target = await start({
    '/m': ({ headers }, response) => {
      sent.push(headers.cookie)
      response.writeHead(200, { 'content-type': 'text/html' }).end(text('Others'))
    },
  })
  const address = isSource ? target.url.replace('127.0.0.1', 'localhost') : target.url
  const site = await start({ '/m': redirect(`${address}/m`) })
  const docs = await open({
    sources: [`${site.url}/`, ...(isSource ? [`${address}/`] : [])],
    networks: ['127.0.0.1'],
    cookies: cookieFile([session('ada'), line('docs.example FALSE / FALSE 0 session bob')]),
  })
  expect((await docs.section(`${site.url}/m`, 't')).markdown).toContain('Others')
  expect(sent).toEqual([undefined])
})

test('the cookies of two identities do not share cached pages or indexes, nor are they in them', async () => {
  const { url, source, cookies } = await startManual({
    'cache-control': 'private, max-age=600',
    vary: 'Cookie',
  })
  const cacheFolder = temporaryFolder(onTestFinished)
  const read = async (lines: readonly string[]) => {
    const docs = await createDocs({ sources: [url], cacheFolder, cookies: cookieFile(lines) })
    const { markdown } = await docs.section(url, 't')
    const { hits } = await docs.search('manual')
    await docs.close()
    return [markdown, JSON.stringify(hits)].map((part) => /Ada|Bob/.exec(part)?.[0])
  }
  expect(await read([session('ada')])).toEqual(['Ada', 'Ada'])
  expect(await read([session('bob')])).toEqual(['Bob', 'Bob'])
  const requested = cookies.length
  expect(await read([session('ada')])).toEqual(['Ada', 'Ada'])
  expect(cookies).toHaveLength(requested)
  const without = await createDocs({ sources: [source], cacheFolder })
  await expect(without.section(url, 't')).rejects.toMatchObject({ status: 401 })
  await without.close()
  const files = readdirSync(cacheFolder, { recursive: true, withFileTypes: true })
  for (const file of files.filter((entry) => entry.isFile()))
    expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toMatch(/session=/)
})

test('a file that other users may read is refused, and a changed file is read again', async () => {
  const { url, source } = await startManual()
  const path = cookieFile([session('ada')], 0o644)
  await expect(createDocs({ sources: [source], cookies: path })).rejects.toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('mode 644'),
    remedy: `Run: chmod 600 ${path}`,
  })
  chmodSync(path, 0o600)
  const docs = await open({ sources: [source], cookies: path })
  expect((await docs.section(url, 't')).markdown).toContain('Ada')
  writeFileSync(path, `${session('bob')}\n\n`)
  expect((await docs.section(url, 't')).markdown).toContain('Bob')
  chmodSync(path, 0o640)
  await expect(docs.section(url, 't')).rejects.toMatchObject({ code: 'not_allowed' })
})

test('a missing file, a folder and a file of megabytes are errors that name the setting', async () => {
  const large = cookieFile(['#'.repeat(2 ** 20)])
  for (const path of [
    join(temporaryFolder(onTestFinished), 'none.txt'),
    temporaryFolder(onTestFinished),
    large,
  ])
    await expect(createDocs({ cookies: path })).rejects.toMatchObject({
      name: 'DocsError',
      remedy: expect.stringContaining('setting cookies'),
    })
})

test('lines that are no cookies, and those past the limit, are counted', async () => {
  const bad = [
    'no tabs',
    line('docs.example FALSE / FALSE soon a b'),
    line('docs.example MAYBE / FALSE 0 a b'),
    line('docs.example FALSE docs FALSE 0 a b'),
    line('docs.example FALSE / FALSE 0 a b;c'),
    line('docs.example FALSE / FALSE 0 a b\u007f'),
    line('docs.example FALSE / FALSE 0  b'),
    line('do cs FALSE / FALSE 0 a b c'),
  ]
  const good = Array.from({ length: 3_002 }, (_, at) => line(`a.example FALSE / FALSE 0 n${at} v`))
  const path = cookieFile([...bad, ...good, line('b.example FALSE / FALSE 1 n v')])
  expect(await readCookieFile(path)).toEqual({
    cookies: 3_000,
    hosts: ['a.example'],
    ended: 0,
    malformed: bad.length,
    more: 3,
  })
  const notices: string[] = []
  await open({ cookies: path, onNotice: (notice) => notices.push(notice) })
  expect(notices).toEqual([
    `Lines of the cookie file that are no cookies: ${bad.length}.`,
    'Cookies of the file past the limit, not used: 3.',
  ])
})

/** The examples of RFC 6265 and its rules, as [line, URL, is sent]. */
test.for([
  // 5.1.3: domain-match.
  ['site.example TRUE / FALSE 0 SID 31d4', 'https://site.example/', true],
  ['.site.example TRUE / FALSE 0 SID 31d4', 'https://www.site.example/', true],
  ['.site.example TRUE / FALSE 0 SID 31d4', 'https://SITE.example/', true],
  ['site.example FALSE / FALSE 0 SID 31d4', 'https://site.example/', true],
  ['site.example FALSE / FALSE 0 SID 31d4', 'https://www.site.example/', false],
  ['site.example TRUE / FALSE 0 SID 31d4', 'https://offsite.example/', false],
  ['www.site.example TRUE / FALSE 0 SID 31d4', 'https://site.example/', false],
  ['0.0.1 TRUE / FALSE 0 SID 31d4', 'http://127.0.0.1/', false],
  ['0.0.0.1 TRUE / FALSE 0 SID 31d4', 'http://127.0.0.0.1.example/', false],
  ['bücher.example FALSE / FALSE 0 SID 31d4', 'https://xn--bcher-kva.example/', true],
  // 5.1.4: path-match.
  ['site.example FALSE /docs FALSE 0 SID 31d4', 'https://site.example/docs', true],
  ['site.example FALSE /docs FALSE 0 SID 31d4', 'https://site.example/docs/Web?a', true],
  ['site.example FALSE /docs/ FALSE 0 SID 31d4', 'https://site.example/docs/Web', true],
  ['site.example FALSE /docs/ FALSE 0 SID 31d4', 'https://site.example/docs', false],
  ['site.example FALSE /docs FALSE 0 SID 31d4', 'https://site.example/docsets', false],
  ['site.example FALSE /docs FALSE 0 SID 31d4', 'https://site.example/fr/docs', false],
  // 5.4: secure and ended cookies; those that scripts may not read are sent.
  ['site.example FALSE / TRUE 0 SID 31d4', 'https://site.example/', true],
  ['site.example FALSE / TRUE 0 SID 31d4', 'http://site.example/', false],
  ['localhost FALSE / TRUE 0 SID 31d4', 'http://localhost/', false],
  ['#HttpOnly_site.example FALSE / FALSE 0 SID 31d4', 'https://site.example/', true],
  ['# site.example FALSE / FALSE 0 SID 31d4', 'https://site.example/', false],
  ['site.example FALSE / FALSE 4102444800 SID 31d4', 'https://site.example/', true],
  ['site.example FALSE / FALSE 4102444800.5 SID 31d4', 'https://site.example/', true],
  ['site.example FALSE / FALSE 784887151 SID 31d4', 'https://site.example/', false],
] as const)('%s is for %s: %s', async ([record, url, isSent]) => {
  const file = new CookieFile(cookieFile([line(record)]))
  expect(await file.headerFor(url)).toBe(isSent ? 'SID=31d4' : undefined)
})

test('cookies with longer paths come first, others as in the file; a value may be empty', async () => {
  const file = new CookieFile(
    cookieFile([
      line('site.example FALSE / FALSE 0 lang en-US'),
      line('.site.example TRUE / FALSE 0 empty'),
      line('site.example FALSE /docs FALSE 0 SID 31d4=='),
    ]),
  )
  expect(await file.headerFor('https://site.example/docs')).toBe('SID=31d4==; lang=en-US; empty=')
})

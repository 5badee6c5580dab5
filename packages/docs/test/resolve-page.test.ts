import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { createDocs, type DocsOptions } from '@pith-mcp/docs'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { html, type LoopbackSite, redirect, startSite } from './loopback-site.ts'

const page = (text: string, head = '') =>
  `<html><head><title>Guide</title>${head}</head><main><h1 id="guide">Guide</h1><p>${text}</p></main></html>`
const markdown = (text: string, type = 'text/markdown') => html(`# Guide\n\n${text}`, type)

let folder: string
let site: LoopbackSite
let pages: Record<string, RequestListener>
const open = (options: DocsOptions = {}) =>
  createDocs({
    sources: [`${site.url}/`],
    limits: { timeoutMs: 2_000 },
    cacheFolder: folder,
    ...options,
  })
const countOf = (path: string) => site.requests.filter((asked) => asked === path).length

beforeEach(async () => {
  folder = temporaryFolder(onTestFinished)
  pages = {}
  site = await startSite(pages)
})
afterEach(() => site.close())

describe('a page is had', () => {
  const read = async (path: string) => {
    const docs = await open()
    const { markdown: text, origin } = await docs.content(site.url + path)
    await docs.close()
    return [origin.source, text.replace(/^# Guide\s*/, '')]
  }

  test('as Markdown, where the server sends it when asked', async () => {
    pages['/p.html'] = (request, response) =>
      /text\/markdown/.test(request.headers.accept ?? '')
        ? markdown('Negotiated.')(request, response)
        : html(page('HTML.'))(request, response)
    expect(await read('/p.html')).toEqual(['negotiated', 'Negotiated.'])
  })

  test('as the Markdown that it names', async () => {
    const link = '<link rel="alternate" type="text/markdown" href="/raw/p.txt">'
    pages['/p.html'] = html(page('HTML.', link))
    pages['/raw/p.txt'] = markdown('Alternate.', 'text/plain')
    expect(await read('/p.html')).toEqual(['alternate', 'Alternate.'])
  })

  test.each([
    ['/p.html', '/p.md'],
    ['/p.html', '/p.html.md'],
    ['/d/', '/d.md'],
    ['/d/', '/d/index.html.md'],
    ['/bare', '/bare.md'],
  ])('%s as its Markdown variant %s', async (path, twin) => {
    pages[path] = html(page('What both say.'))
    pages[twin] = markdown('What **both** say.')
    expect(await read(path)).toEqual(['variant', 'What **both** say.'])
  })

  test.each([
    ['is HTML', html(page('Soft 404.'), 'text/markdown')],
    ['is of another page', html('# Not found\n\nSorry.', 'text/markdown')],
    ['is of another page of that name', html('# Guide\n\nThe start page.', 'text/markdown')],
    ['is elsewhere', redirect('/elsewhere.md')],
    ['is empty', html('', 'text/markdown')],
    ['is said to be HTML', html('# Guide\n\nText.', 'text/html')],
    ['is binary', html('# Guide\0\0', 'text/markdown')],
    ['is not there', html('')],
  ])('as HTML, if what lies next to it %s', async (_, twin) => {
    pages['/p.html'] = html(page('HTML.'))
    pages['/p.md'] = twin
    pages['/elsewhere.md'] = html('# Guide\n\nHTML.', 'text/markdown')
    expect(await read('/p.html')).toEqual(['html', 'HTML.'])
  })

  test('where an empty page sends its reader', async () => {
    pages['/old.html'] = html('<meta http-equiv="refresh" content="0; url=/p.html">')
    pages['/p.html'] = html(page('Moved here.'))
    expect(await read('/old.html')).toEqual(['html', 'Moved here.'])
  })

  test('a site without Markdown variants is soon asked for none, one with some goes on being asked', async () => {
    const names = [...'abcdefgh']
    for (const name of names) pages[`/${name}.html`] = html(page(name))
    const readAll = async (options: DocsOptions = {}) => {
      const docs = await open(options)
      for (const name of names) await docs.content(`${site.url}/${name}.html`)
      const { origin } = await docs.content(`${site.url}/h.html`)
      await docs.close()
      return origin.source
    }
    expect(await readAll()).toBe('html')
    expect(site.requests.filter((path) => path.endsWith('.md')).length).toBeLessThanOrEqual(8)
    pages['/a.md'] = markdown('a')
    pages['/h.md'] = markdown('h')
    expect(await readAll({ cacheFolder: join(folder, 'other') })).toBe('variant')
  })

  describe('next to Markdown, on the first page of a host,', () => {
    const code = (text: string) => `<pre><code class="python ">${text}</code></pre>`
    const sources = async (paths: readonly string[], options: DocsOptions = {}) => {
      const docs = await open(options)
      const found = []
      for (const path of paths)
        found.push((await docs.content(site.url + path)).origin.source as string)
      await docs.close()
      return found
    }
    const paths = ['/a', '/b', '/c']
    const serve = (htmlOf: (path: string) => string, markdownOf: (path: string) => string) => {
      for (const path of paths) {
        pages[path] = html(page(htmlOf(path)))
        pages[`${path}.md`] = markdown(markdownOf(path))
      }
    }

    test('both forms are read, each spelling once; afterwards one form a page, in every process', async () => {
      const text = (path: string) => `Page ${path}.`
      serve(
        (path) => `${text(path)}</p>${code(`x = "${path}"`)}<p>`,
        (path) => `${text(path)}\n\n\`\`\`python\nx = "${path}"\n\`\`\``,
      )
      expect(await sources(['/a', '/b'])).toEqual(['variant', 'variant'])
      expect(site.requests).toEqual(['/a', '/a.md', '/b.md'])
      expect(await sources(['/c'])).toEqual(['variant'])
      expect(site.requests.slice(3)).toEqual(['/c.md'])
    })

    test.each([
      ['other code', code('SELECT x'), '```sql\nSELECT {{x}}\n```'],
      ['less code', code('SELECT x'), 'SELECT x'],
      ['fewer headings', '<h2>One</h2><p>Text.</p>', '**One**\n\nText.'],
    ])('Markdown with %s is read no more', async (_, own, other) => {
      serve(
        (path) => `Page ${path}.</p>${own}<p>`,
        (path) => `Page ${path}.\n\n${other}`,
      )
      expect(await sources(paths)).toEqual(['html', 'html', 'html'])
      expect(site.requests).toEqual(['/a', '/a.md', '/b', '/c'])
    })

    test('a page with the first code of a host is compared too, and one with the first braces', async () => {
      serve(
        (path) => (path === '/a' ? 'Page /a.' : `Page ${path}.</p>${code('f(x)')}<p>`),
        (path) =>
          path === '/a'
            ? 'Page /a.'
            : `Page ${path}.\n\n\`\`\`\nf(${path === '/c' ? '{{x}}' : 'x'})\n\`\`\``,
      )
      expect(await sources(paths)).toEqual(['variant', 'variant', 'html'])
      expect(countOf('/c')).toBe(1)
    })

    test('Markdown that the server sends for every page is found out at the second', async () => {
      for (const path of paths) {
        pages[path] = html(page(`Page ${path}.`))
        pages[`${path}.md`] = markdown('Page /a.')
      }
      expect(await sources(['/a', '/b'])).toEqual(['variant', 'html'])
    })

    test('Markdown sent on request is compared with the HTML', async () => {
      for (const path of paths)
        pages[path] = (request, response) =>
          (/text\/markdown(?!;)/.test(request.headers.accept ?? '')
            ? markdown('```\nf({{x}})\n```')
            : html(page(`</p>${code('f(x)')}<p>`)))(request, response)
      expect(await sources(paths)).toEqual(['html', 'html', 'html'])
      expect(site.requests).toEqual(['/a', '/a', '/b', '/c'])
    })
  })

  describe('on a site whose pages name their Markdown by one rule', () => {
    const names = [...'abcd']
    beforeEach(() => {
      for (const name of names) {
        const link = `<link rel="alternate" type="text/markdown" href="${name}.md">`
        pages[`/${name}.html`] = html(page(`HTML <a href="/z.html">z</a>`, link))
        pages[`/${name}.md`] = markdown(`Markdown of ${name}.`)
      }
    })
    const sources = async (asked: readonly string[]) => {
      const docs = await open()
      const found = []
      for (const name of asked)
        found.push((await docs.content(`${site.url}/${name}.html`)).origin.source)
      await docs.close()
      return found
    }

    test('the HTML of others is not read, but for their links', async () => {
      expect(await sources(names)).toEqual(names.map(() => 'alternate'))
      expect(site.requests.filter((path) => path.endsWith('.html'))).toEqual(['/a.html'])
      const docs = await open()
      for (const name of names) await docs.content(`${site.url}/${name}.html`)
      const related = await docs.related(`${site.url}/d.html`, undefined)
      expect(JSON.stringify(related)).toContain('/z.html')
      await docs.close()
    })

    test('one without it is read as HTML, and the rule holds for the others', async () => {
      pages['/c.html'] = html(page('Only HTML.'))
      delete pages['/c.md']
      expect(await sources(names)).toEqual(['alternate', 'alternate', 'html', 'alternate'])
      expect(countOf('/d.html')).toBe(0)
    })

    test('one that is not there does not end the rule', async () => {
      const docs = await open()
      for (const name of ['a', 'b']) await docs.content(`${site.url}/${name}.html`)
      await expect(docs.content(`${site.url}/none.html`)).rejects.toMatchObject({
        code: 'not_found',
      })
      await docs.content(`${site.url}/c.html`)
      expect(countOf('/c.html')).toBe(0)
      await docs.close()
    })
  })

  test('elsewhere is said to be there, but not for a slash', async () => {
    pages['/old'] = redirect('/new.html')
    pages['/new'] = redirect('/new/')
    pages['/new.html'] = html(page('New.'))
    pages['/new/'] = html(page('New.'))
    const docs = await open()
    const { origin } = await docs.content(`${site.url}/old`)
    expect(origin).toMatchObject({ source: 'html', redirectedTo: `${site.url}/new.html` })
    expect((await docs.content(`${site.url}/new`)).origin.redirectedTo).toBeUndefined()
    await docs.close()
  })

  const form = '<form><input name="p" type="password"></form>'
  test.each([
    ['/p.html', '/login?next=%2Fp.html', 'Welcome.', true],
    ['/p.html', '/p.html', form, true],
    ['/p.html', '/start', form, true],
    ['/p.html', '/guide/auth', 'How to sign in.', false],
    ['/p.html', '/guide/login', `${'How to sign in. '.repeat(100)}${form}`, false],
  ])('%s that leads to %s', async (from, to, text, isSignIn) => {
    if (from !== to) pages[from] = redirect(to)
    pages[to] = html(page(text))
    const docs = await open()
    const read = docs.content(site.url + from)
    await (isSignIn
      ? expect(read).rejects.toMatchObject({ status: 401, message: expect.stringContaining(to) })
      : expect(read).resolves.toMatchObject({ origin: { redirectedTo: site.url + to } }))
    await docs.close()
  })

  test('a section that the Markdown names otherwise is found in the HTML', async () => {
    pages['/p.html'] = html(
      '<title>Guide</title><main><h1>Guide</h1><h2 id="x-42">Options</h2><p>All of them.</p></main>',
    )
    pages['/p.md'] = html('# Guide\n\n## Options\n\nAll of them.', 'text/markdown')
    const docs = await open()
    const answer = await docs.section(`${site.url}/p.html#x-42`, undefined)
    expect(answer).toMatchObject({ section: { title: 'Options' }, origin: { source: 'html' } })
    await docs.close()
  })
})

describe('a page that was read is kept', () => {
  const serve =
    (text: () => string, headers: Record<string, string>): RequestListener =>
    (request, response) => {
      if (headers['etag'] && request.headers['if-none-match'] === headers['etag'])
        return response.writeHead(304, headers).end()
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(page(text()))
    }
  const once = async (options: DocsOptions = {}) => {
    const docs = await open(options)
    try {
      return await docs.content(`${site.url}/p.html`)
    } finally {
      await docs.close()
    }
  }

  test('while HTTP says that it is fresh', async () => {
    pages['/p.html'] = serve(() => 'Text.', { 'cache-control': 'max-age=600' })
    await once()
    const before = site.requests.length
    expect((await once()).markdown).toContain('Text.')
    expect(site.requests.length).toBe(before)
  })

  test('and asked for changes only: 304 brings the kept one back, again and again', async () => {
    pages['/p.html'] = serve(() => 'Text.', { 'cache-control': 'no-cache', etag: '"1"' })
    await once()
    const before = site.requests.length
    for (let times = 1; times <= 3; times++) {
      expect((await once()).markdown).toContain('Text.')
      expect(site.requests.length).toBe(before + times)
    }
  })

  test('unless it says no-store', async () => {
    let text = 'One.'
    pages['/p.html'] = serve(() => text, { 'cache-control': 'no-store' })
    await once()
    text = 'Two.'
    expect((await once()).markdown).toContain('Two.')
  })

  test('and what was kept before it said so is forgotten', async () => {
    pages['/p.html'] = serve(() => 'Kept.', { 'cache-control': 'no-cache', etag: '"1"' })
    await once()
    pages['/p.html'] = serve(() => 'Secret.', { 'cache-control': 'no-store' })
    await once()
    pages['/p.html'] = (_request, response) => response.writeHead(503).end()
    await expect(once()).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('new text with the old ETag is new text', async () => {
    let text = 'One.'
    pages['/p.html'] = (_request, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          etag: '"same"',
          'cache-control': 'no-cache',
        })
        .end(page(text))
    await once()
    text = 'Two.'
    expect((await once()).markdown).toContain('Two.')
  })

  test('a 304 that nobody asked for is an error, not a page', async () => {
    pages['/p.html'] = (_request, response) => response.writeHead(304).end()
    await expect(once()).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('given when the site is down, and that is said', async () => {
    pages['/p.html'] = serve(() => 'Text.', { 'cache-control': 'no-cache', etag: '"1"' })
    await once()
    pages['/p.html'] = (_request, response) => response.writeHead(503).end()
    const { markdown: text, origin } = await once()
    expect(text).toContain('Text.')
    expect(origin.stale).toMatch(/status 503/)
    pages['/p.html'] = (request) => request.socket.destroy()
    expect((await once()).origin.stale).toBeDefined()
  })

  test('but a page that is gone is gone', async () => {
    pages['/p.html'] = serve(() => 'Text.', { 'cache-control': 'no-cache', etag: '"1"' })
    await once()
    delete pages['/p.html']
    await expect(once()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('offline, what is kept is given and nothing is fetched', async () => {
    pages['/p.html'] = serve(() => 'Text.', { 'cache-control': 'no-cache', etag: '"1"' })
    await once()
    const before = site.requests.length
    expect((await once({ offline: true })).markdown).toContain('Text.')
    const docs = await open({ offline: true })
    await expect(docs.content(`${site.url}/other.html`)).rejects.toMatchObject({ code: 'offline' })
    await docs.close()
    expect(site.requests.length).toBe(before)
  })
})

describe('a request', () => {
  test('that failed for a reason that may pass is repeated, after the time that is asked for', async () => {
    let tries = 0
    pages['/p.html'] = (request, response) => {
      if (tries++ === 0) response.writeHead(429, { 'retry-after': '1' }).end()
      else html(page('At last.'))(request, response)
    }
    const start = Date.now()
    const docs = await open({ limits: { timeoutMs: 5_000 } })
    expect((await docs.content(`${site.url}/p.html`)).markdown).toContain('At last.')
    expect(Date.now() - start).toBeGreaterThan(900)
    expect(tries).toBe(2)
    await docs.close()
  })

  test('is not repeated when the wait is longer than the time there is', async () => {
    pages['/p.html'] = (_request, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end()
    const docs = await open()
    await expect(docs.content(`${site.url}/p.html`)).rejects.toThrow(/requested a wait of 3600 s/)
    expect(countOf('/p.html')).toBe(1)
    await docs.close()
  })

  test('carries the headers of its host and of no other', async () => {
    const seen: (string | undefined)[] = []
    const other = await startSite({
      '/p.html': (request, response) => {
        seen.push(request.headers.authorization)
        html(page('Other.'))(request, response)
      },
    })
    pages['/p.html'] = (request, response) => {
      seen.push(request.headers.authorization)
      redirect(`${other.url}/p.html`)(request, response)
    }
    const docs = await open({
      sources: [`${site.url}/`, `${other.url}/`],
      headers: { [new URL(site.url).host]: { authorization: 'Bearer secret' } },
    })
    expect((await docs.content(`${site.url}/p.html`)).markdown).toContain('Other.')
    expect(seen[0]).toBe('Bearer secret')
    expect(seen.slice(1).every((header) => header === undefined)).toBe(true)
    await docs.close()
    await other.close()
  })

  test('goes only to the hosts that are allowed, and to networks that were opened', async () => {
    pages['/p.html'] = html(page('Inside.'))
    const closed = await createDocs({})
    await expect(closed.content(`${site.url}/p.html`)).rejects.toMatchObject({
      code: 'not_allowed',
    })
    await closed.close()
    const opened = await createDocs({ networks: ['127.0.0.0/8'] })
    expect((await opened.content(`${site.url}/p.html`)).markdown).toContain('Inside.')
    await opened.close()
    const narrow = await createDocs({ networks: ['127.0.0.1'], only: ['*.example.org'] })
    await expect(narrow.content(`${site.url}/p.html`)).rejects.toThrow(
      /not one of the allowed hosts/,
    )
    await expect(narrow.content('https://docs.example.com/')).rejects.toThrow(
      /not one of the allowed hosts/,
    )
    await narrow.close()
    await expect(createDocs({ networks: ['10.0.0.0/99'] })).rejects.toMatchObject({
      code: 'bad_argument',
    })
  })

  test('goes through the proxy that is named, but not for addresses that are not public', async () => {
    const proxied: string[] = []
    const proxy = await startSite({
      'http://docs.example.org/p.html': (request, response) => {
        proxied.push(request.url ?? '')
        html(page('By proxy.'))(request, response)
      },
    })
    const docs = await createDocs({ proxy: { http: proxy.url } })
    expect((await docs.content('http://docs.example.org/p.html')).markdown).toContain('By proxy.')
    for (const url of ['http://169.254.169.254/', 'http://localhost/', 'http://x.internal/'])
      await expect(docs.content(url)).rejects.toMatchObject({ code: 'not_allowed' })
    expect(proxied).toEqual(['http://docs.example.org/p.html'])
    await docs.close()
    await proxy.close()
  })
})

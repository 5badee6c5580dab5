import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { type Database, loadDriver } from '@pith-mcp/base/sqlite-driver'
import { createDocs, type DocsOptions } from '@pith-mcp/docs'
import { pack as createTar } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { html, type LoopbackSite, redirect, startSite } from './loopback-site.ts'

const page = (title: string, text: string, links = '') =>
  html(`<title>${title}</title><nav>${links}</nav><main><h1>${title}</h1><p>${text}</p></main>`)
const link = (href: string) => `<a href="${href}">x</a>`

let folder: string
let site: LoopbackSite
let pages: Record<string, RequestListener>

beforeEach(async () => {
  folder = temporaryFolder(onTestFinished)
  pages = {}
  site = await startSite(pages)
})
afterEach(() => site.close())

async function search(source: string, query: string, options: DocsOptions = {}) {
  const docs = await createDocs({ sources: [source], ...options })
  try {
    return await docs.search(query)
  } finally {
    await docs.close()
  }
}

describe('a site is searched', () => {
  test('by llms.txt, and the ones that it names', async () => {
    pages['/docs/llms.txt'] = html(
      `# Docs\n\n- [A](${site.url}/docs/a.md): first\n- [More](/docs/more/llms.txt)\n- [Elsewhere](https://example.org/x.md)`,
      'text/plain',
    )
    pages['/docs/more/llms.txt'] = html('- [B](b.md)', 'text/plain')
    pages['/docs/a.md'] = html('# Alpha\n\nZebras.', 'text/markdown')
    pages['/docs/more/b.md'] = html('# Beta\n\nZebras too.', 'text/markdown')
    const { sources, hits } = await search(`${site.url}/docs/`, 'zebras')
    expect(sources[0]).toMatchObject({ via: 'llms.txt', pages: 2, failed: 0 })
    expect(hits.map(({ title }) => title).sort()).toEqual(['Alpha', 'Beta'])
  })

  test('by llms-full.txt, where it says which page is which', async () => {
    pages['/llms-full.txt'] = html(
      `# Alpha\nSource: ${site.url}/a\n\nZebras.\n\n## Part\n\nStripes.\n\n# Beta\nSource: ${site.url}/b\n\nLions.`,
      'text/plain',
    )
    const { sources, hits } = await search(`${site.url}/`, 'stripes')
    expect(sources[0]).toMatchObject({ via: 'llms-full.txt', pages: 2 })
    expect(hits[0]).toMatchObject({ url: `${site.url}/a#part`, title: 'Alpha', section: 'Part' })
    expect(site.requests.filter((path) => path === '/a')).toEqual([])
  })

  test.each([
    [
      'URL below the title',
      '# Beta\nURL: /docs/b\nSource: https://raw.githubusercontent.com/x/b.md\n\nLions.',
    ],
    ['path in the title', '# Beta (/docs/b)\n\nLions.'],
  ])('by llms-full.txt with the %s', async (_, text) => {
    pages['/docs/llms-full.txt'] = html(text, 'text/plain')
    const { hits } = await search(`${site.url}/docs/`, 'lions')
    expect(hits[0]).toMatchObject({ url: `${site.url}/docs/b#beta`, title: 'Beta' })
  })

  test.each([
    ['which is not there', undefined, /answered with status 404/],
    [
      'whose page has no text',
      html('<div id="app"></div><script src="a.js"></script>'),
      /has no text/,
    ],
  ])('%s, is said to be so', async (_, root, message) => {
    if (root) pages['/docs/'] = root
    await expect(search(`${site.url}/docs/`, 'zebras')).rejects.toThrow(message)
  })

  test('with the pages in the language of the query first', async () => {
    const words = 'サーバー zebras'
    for (const name of ['a', 'b', 'c', 'd'])
      await writeFile(
        join(folder, `${name}.html`),
        `<html lang="${name === 'd' ? 'ja' : 'en'}"><main><h1>${name} ${words}</h1><p>${name === 'd' ? 'long '.repeat(200) : ''}${words}</p></main></html>`,
      )
    const { hits, queryLanguage } = await search(folder, words)
    expect(hits[0]?.url).toMatch(/^d\.html/)
    expect(hits).toHaveLength(4)
    expect(queryLanguage).toEqual({ searched: 'ja', others: ['en'] })
  })

  test('where it has moved to', async () => {
    const moved = await startSite({
      '/new/': page('Home', 'Zebras.', link('a.html')),
      '/new/a.html': page('Alpha', 'Zebras.'),
    })
    pages['/'] = redirect(`${moved.url}/new/`)
    const docs = await createDocs({ sources: [`${site.url}/`], networks: ['127.0.0.1'] })
    expect((await docs.search('zebras')).hits).toHaveLength(2)
    await docs.close()
    await moved.close()
  })

  test('by a gzipped sitemap', async () => {
    const xml = `<urlset><url><loc>${site.url}/a.html</loc></url></urlset>`
    pages['/sitemap.xml.gz'] = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/gzip' }).end(gzipSync(xml))
    pages['/a.html'] = page('Alpha', 'Zebras.')
    const { hits } = await search(`${site.url}/sitemap.xml.gz`, 'zebras')
    expect(hits[0]?.title).toBe('Alpha')
  })

  test('by its links, as far as they lie below the source and robots.txt lets', async () => {
    pages['/robots.txt'] = html('User-agent: *\nDisallow: /docs/secret', 'text/plain')
    pages['/docs/'] = page('Home', 'Zebras.', link('a.html') + link('/blog/') + link('secret.html'))
    pages['/docs/a.html'] = page('Alpha', 'Zebras.', link('deep/b.html#x') + link('/docs/'))
    pages['/docs/deep/b.html'] = page('Beta', 'Zebras.')
    pages['/docs/secret.html'] = page('Secret', 'Zebras.')
    pages['/blog/'] = page('Blog', 'Zebras.')
    const { sources, hits } = await search(`${site.url}/docs/`, 'zebras')
    expect(sources[0]).toMatchObject({ via: 'links from page to page', pages: 3 })
    expect(hits.map(({ title }) => title).sort()).toEqual(['Alpha', 'Beta', 'Home'])
    expect(site.requests).not.toContain('/docs/secret.html')
    const few = await search(`${site.url}/docs/`, 'zebras', { maxPages: 2 })
    expect(few.sources[0]?.pages).toBe(2)
  })

  test('though no source was named, if the call names it', async () => {
    pages['/a.html'] = page('Alpha', 'Zebras.')
    const docs = await createDocs({ networks: ['127.0.0.1'] })
    const { hits } = await docs.search('zebras', { source: `${site.url}/a.html` })
    expect(hits[0]?.title).toBe('Alpha')
    await expect(docs.search('zebras')).rejects.toMatchObject({ code: 'no_source' })
    await expect(docs.search('zebras', { source: 'none' })).rejects.toThrow(
      /no source named "none"/,
    )
    await docs.close()
    const careful = await createDocs({})
    await expect(careful.search('zebras', { source: `${site.url}/a.html` })).rejects.toMatchObject({
      code: 'not_allowed',
    })
    await expect(
      careful.search('zebras', { source: 'https://user:secret@example.org/' }),
    ).rejects.toThrow(/contains a user name or password/)
    await careful.close()
  })

  test('as it was before, while it is down; and that is told', async () => {
    const cacheFolder = join(folder, 'cache')
    pages['/'] = page('Home', 'Zebras.', link('a.html'))
    pages['/a.html'] = page('Alpha', 'Zebras.')
    const first = await createDocs({ sources: [`${site.url}/`], cacheFolder })
    await first.update()
    await first.close()
    for (const path of Object.keys(pages))
      pages[path] = (_request, response) => response.writeHead(503).end()
    const second = await createDocs({ sources: [`${site.url}/`], cacheFolder })
    const [status] = await second.update()
    expect(status).toMatchObject({ pages: 2, problem: expect.stringContaining('status 503') })
    expect((await second.search('zebras')).hits).toHaveLength(2)
    await second.close()
    const fresh = await createDocs({ sources: [`${site.url}/`] })
    await expect(fresh.search('zebras')).rejects.toThrow(/status 503/)
    pages['/'] = page('Home', 'Zebras.')
    expect((await fresh.search('zebras')).hits).toHaveLength(1)
    await fresh.close()
  })

  test('while it is still being read, and what is there is told', async () => {
    pages['/'] = page('Home', 'Zebras.', link('slow.html'))
    pages['/slow.html'] = (request, response) =>
      setTimeout(() => page('Slow', 'Zebras.')(request, response), 1_500)
    const docs = await createDocs({ sources: [`${site.url}/`], searchWaitMs: 400 })
    const first = await docs.search('zebras')
    expect(first.sources[0]).toMatchObject({ isComplete: false })
    expect((await docs.update())[0]).toMatchObject({ isComplete: true, pages: 2 })
    expect((await docs.search('zebras')).hits).toHaveLength(2)
    await docs.close()
  })
})

describe('an index outlives its process', () => {
  const write = (name: string, title: string, text: string) =>
    writeFile(
      join(folder, 'docs', name),
      `<title>${title}</title><main><h1>${title}</h1><p>${text}</p>`,
    )
  const options = () => ({ cacheFolder: join(folder, 'cache') })

  beforeEach(async () => {
    await mkdir(join(folder, 'docs'))
    for (let at = 0; at < 60; at++) await write(`p${at}.html`, `Page ${at}`, `Text number ${at}.`)
  })

  test('only what changed is read again', async () => {
    const source = join(folder, 'docs')
    await search(source, 'text', options())
    await write('p7.html', 'Zebra', 'Stripes.')
    await rm(join(folder, 'docs/p8.html'))
    const done: number[] = []
    const docs = await createDocs({ sources: [source], ...options() })
    const { hits, sources } = await docs.search('stripes', {
      onProgress: (progress) => done.push(progress.done),
    })
    expect(hits[0]?.title).toBe('Zebra')
    expect(sources[0]?.pages).toBe(59)
    expect(done).toEqual([1])
    await docs.close()
  })

  test('reading that was broken off goes on where it stopped', async () => {
    const source = join(folder, 'docs')
    const first = await createDocs({ sources: [source], searchWaitMs: 0, ...options() })
    await first.search('text')
    await new Promise((resolve) => setTimeout(resolve, 30))
    await first.close()
    const done: number[] = []
    const docs = await createDocs({ sources: [source], ...options() })
    const [status] = await docs.update({ onProgress: (progress) => done.push(progress.total) })
    expect(status).toMatchObject({ isComplete: true, pages: 60, failed: 0 })
    await docs.close()
  })

  test('the same name below two roots is two pages', async () => {
    await mkdir(join(folder, 'other'))
    await writeFile(join(folder, 'other/p1.html'), '<main><h1>Other</h1><p>Zebras.</p></main>')
    const docs = await createDocs({ sources: [join(folder, 'docs'), join(folder, 'other')] })
    const { hits } = await docs.search('zebras')
    expect(hits[0]?.title).toBe('Other')
    expect((await docs.content(hits[0]?.url ?? '')).title).toBe('Other')
    await docs.close()
  })
})

describe('a build in one file is searched and read', () => {
  const body = '<title>Packed</title><main><h1>Packed</h1><p>Zebras in a box.</p></main>'

  const archives = {
    'build.tar.gz': async (path: string) => {
      const tar = createTar()
      tar.entry({ name: 'html/a.html' }, body)
      tar.entry({ name: '../outside.html' }, body)
      tar.entry({ name: 'html/link.html', type: 'symlink', linkname: '/etc/passwd' })
      tar.entry({ name: 'html/tool.exe' }, 'x')
      tar.finalize()
      const parts: Buffer[] = []
      for await (const part of tar) parts.push(part as Buffer)
      await writeFile(path, gzipSync(Buffer.concat(parts)))
    },
    'build.zip': async (path: string) => {
      await mkdir(join(folder, 'html'))
      await writeFile(join(folder, 'html/a.html'), body)
      execFileSync('python3', ['-m', 'zipfile', '-c', path, 'html/'], { cwd: folder })
    },
  }

  test.each(Object.entries(archives))('%s', async (name, write) => {
    const path = join(folder, name)
    await write(path)
    const docs = await createDocs({ sources: [path] })
    const { hits, sources } = await docs.search('zebras')
    expect(sources[0]?.pages).toBe(1)
    expect(hits[0]?.url).toBe('html/a.html#packed')
    expect((await docs.content('html/a.html')).title).toBe('Packed')
    await docs.close()
  })

  test('what is no archive is an error that names it', async () => {
    const path = join(folder, 'broken.zip')
    await writeFile(path, 'no zip')
    await expect(createDocs({ sources: [path] })).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringContaining('broken.zip'),
    })
  })
})

/** A pack of one page, with a change to its file. */
async function packOf(change: (database: Database) => void): Promise<string> {
  pages['/'] = page('Home', 'Zebras.')
  const path = join(folder, 'site.docpack')
  const docs = await createDocs({ sources: [`${site.url}/`] })
  await docs.writePack(path)
  await docs.close()
  const open = await loadDriver()
  if (open === undefined) throw new Error('no SQLite')
  const database = open(path)
  change(database)
  database.close()
  return path
}

describe('a pack', () => {
  test('serves the same pages without the site', async () => {
    pages['/'] = page('Home', 'Zebras.', link('a.html'))
    pages['/a.html'] = html(
      '<title>Alpha</title><main><h1>Alpha</h1><h2 id="part">Part</h2><p>Lions.</p></main>',
    )
    const url = site.url
    const path = join(folder, 'site.docpack')
    const docs = await createDocs({ sources: [`${url}/`] })
    expect(await docs.writePack(path)).toEqual({ pages: 2, failed: 0 })
    await docs.close()
    const before = site.requests.length
    const packed = await createDocs({ sources: [path], offline: true })
    const { hits, sources } = await packed.search('lions')
    expect(sources[0]).toMatchObject({ via: 'pack', pages: 2, isComplete: true })
    expect(hits[0]?.url).toBe(`${url}/a.html#part`)
    const section = await packed.section(hits[0]?.url ?? '', undefined)
    expect(section).toMatchObject({
      markdown: '## Part\n\nLions.',
      origin: { source: 'pack', pack: 'site.docpack' },
    })
    await packed.close()
    expect(site.requests.length).toBe(before)
  })

  test('that is none is an error', async () => {
    const path = join(folder, 'x.docpack')
    await writeFile(path, 'no pack '.repeat(100))
    await expect(createDocs({ sources: [path] })).rejects.toMatchObject({
      code: 'unsupported_type',
    })
  })

  test.each([
    [
      'a view in place of a table',
      'ALTER TABLE section RENAME TO s2; CREATE VIEW section AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e12) SELECT s2.* FROM s2, (SELECT count(*) FROM n)',
      'its tables are not those of a pack',
    ],
    [
      'a trigger',
      'CREATE TRIGGER t AFTER INSERT ON page BEGIN SELECT 1; END',
      'its tables are not',
    ],
    ['a table of its own', 'CREATE TABLE more (x)', 'its tables are not'],
    [
      'a page of another site',
      "UPDATE page SET url = 'https://bank.example.org/sign-in'",
      'which is not of its sources',
    ],
  ])('of others with %s is refused', async (_, sql, message) => {
    const path = await packOf((database) => database.exec(sql))
    await expect(createDocs({ sources: [path], offline: true })).rejects.toThrow(message)
  })

  test('of others with a page that inflates to more than 64 MB is an error', async () => {
    const kept = deflateRawSync(`{"x":"${'a'.repeat(80 * 2 ** 20)}"}`)
    const path = await packOf((database) =>
      database.prepare('UPDATE stored_page SET kept = ?').run(kept),
    )
    const docs = await createDocs({ sources: [path], offline: true })
    await expect(docs.section(`${site.url}/`, undefined)).rejects.toThrow()
    await docs.close()
  })
})

describe('several processes at once', () => {
  test('one that finds another reading waits for its turn, and does nothing twice', async () => {
    const cacheFolder = join(folder, 'cache')
    pages['/'] = page('Home', 'Zebras.', link('a.html'))
    pages['/a.html'] = (request, response) =>
      setTimeout(() => page('Alpha', 'Zebras.')(request, response), 700)
    const one = await createDocs({ sources: [`${site.url}/`], cacheFolder })
    const two = await createDocs({ sources: [`${site.url}/`], cacheFolder })
    const statuses = await Promise.all([one.update(), two.update()])
    for (const [status] of statuses) expect(status).toMatchObject({ isComplete: true, pages: 2 })
    expect(site.requests.filter((path) => path === '/a.html')).toHaveLength(1)
    await one.close()
    await two.close()
  })

  test('an index that is damaged while it is used is made anew, and the search is answered', async () => {
    const docsFolder = join(folder, 'docs')
    const cacheFolder = join(folder, 'cache')
    await mkdir(docsFolder)
    for (let at = 0; at < 200; at++)
      await writeFile(
        join(docsFolder, `p${at}.html`),
        `<main><h1>Page ${at}</h1><p>${`zebra${at} `.repeat(100)}</p></main>`,
      )
    const options = { sources: [docsFolder], cacheFolder }
    const first = await createDocs(options)
    await first.update()
    await first.close()
    const [name = ''] = (await readdir(join(cacheFolder, 'index'))).filter((file) =>
      file.endsWith('.sqlite'),
    )
    const path = join(cacheFolder, 'index', name)
    const bytes = await readFile(path)
    bytes.fill(0x5a, 40_000)
    await writeFile(path, bytes)
    const told: string[] = []
    const docs = await createDocs({ ...options, onNotice: (text) => told.push(text) })
    const { hits } = await docs.search('zebra7')
    expect(hits[0]?.title).toBe('Page 7')
    expect(told[0]).toMatch(/rebuilt empty/)
    await docs.close()
  })
})

test('closing ends the reading of a site at once, however much is left to read', async () => {
  const urls = Array.from({ length: 400 }, (_, at) => `${site.url}/p${at}.html`)
  const xml = `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
  pages['/sitemap.xml'] = html(xml, 'application/xml')
  for (const url of urls)
    pages[new URL(url).pathname] = (request, response) =>
      setTimeout(() => page('Slow', 'Zebras.')(request, response), 100)
  const docs = await createDocs({ sources: [`${site.url}/sitemap.xml`], searchWaitMs: 300 })
  const { sources } = await docs.search('zebras')
  expect(sources[0]).toMatchObject({ isComplete: false })
  const start = Date.now()
  await docs.close()
  expect(Date.now() - start).toBeLessThan(5_000)
})

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../packages/base/test/temporary-folder.ts'
import { pageFacts } from './site/page-facts.ts'
import { buildSite, type SitePage } from './site/renderer.ts'

const base = 'https://manual.example/pith/'
const folder = temporaryFolder()
let pages: SitePage[]
let problems: string[]
let files: string[]

const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const factsOf = (path: string) => pageFacts(read(path))
const htmlPaths = () => pages.map(({ path }) => `${path}.html`)

beforeAll(async () => {
  ;({ pages, problems } = await buildSite({ to: folder, baseUrl: base }))
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
})

/** The file of the site that a link leads to, with its fragment; undefined for links that leave it. */
function inSite(from: string, link: string): { file: string; hash: string } | undefined {
  const url = new URL(link, base + from)
  if (!url.href.startsWith(base)) return undefined
  return {
    file: decodeURIComponent(url.href.slice(base.length).split('#')[0] ?? ''),
    hash: url.hash,
  }
}

test('the manual, its navigation and its links agree', () => {
  expect(problems).toEqual([])
})

/** A repository with nothing but a manual. */
async function buildManual(sources: Record<string, string>) {
  const root = temporaryFolder(onTestFinished)
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const to = join(root, 'site')
  const { problems } = await buildSite({ root, to })
  const names = readdirSync(to, { recursive: true, encoding: 'utf8' })
  const built = Object.fromEntries(
    names
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => [name, readFileSync(join(to, name), 'utf8')]),
  )
  return { problems, built }
}

test('what is wrong with a manual is said', async () => {
  const { problems: said } = await buildManual({
    'docs/navigation.json': JSON.stringify([
      { title: 'All', pages: ['docs/a.md', 'docs/a.md', 'docs/none.md'] },
    ]),
    'docs/a.md': '# A\n\nSee [b](b.md), [none](none.md#x) and [up](../../up.md).',
    'docs/b.md': 'No heading.\n\n<details>\n\nHidden.\n',
  })
  expect(said).toEqual([
    'docs/navigation.json names docs/none.md, which does not exist',
    'docs/navigation.json names docs/a.md twice',
    'docs/navigation.json does not name docs/b.md',
    'docs/a.md links to none.md#x, which does not exist',
    'docs/a.md links to ../../up.md, which does not exist',
    'docs/b.md:3 has HTML, which the site leaves out',
    'docs/b.md has no heading of the first level',
  ])
})

test('links lead to pages in any folder, to files beside them, or to the repository', async () => {
  const { problems: said, built } = await buildManual({
    'docs/navigation.json': JSON.stringify([
      { title: 'All', pages: ['docs/index.md', 'docs/start/first.md', 'packages/x/README.md'] },
    ]),
    'docs/index.md':
      '# Manual\n\nBegin with [the first](start/first.md#go), or [x](../packages/x).',
    'docs/start/first.md':
      '# First\n\n[Back](../index.md), [a file](../data.json), [run](../../run.mjs), [all](../../packages).\n\n![It](../it-light.png)\n\n## Go\n',
    'docs/data.json': '{}',
    'docs/it-light.png': 'light',
    'docs/it-dark.png': 'dark',
    'packages/x/README.md': '# x\n\nSee [the manual](../../docs/index.md).',
    'run.mjs': '',
  })
  expect(said).toEqual([])
  const repository = 'https://github.com/pith-mcp/pith'
  expect(built['index.html']).toContain('<a href="start/first.html#go">the first</a>')
  expect(built['index.html']).toContain('<a href="libraries/x.html">x</a>')
  expect(built['index.md']).toContain('[the first](start/first.md#go), or [x](libraries/x.md).')
  expect(pageFacts(built['start/first.html'] ?? '').links).toEqual(
    expect.arrayContaining([
      '../index.html',
      '../data.json',
      `${repository}/blob/main/run.mjs`,
      `${repository}/tree/main/packages`,
      `${repository}/edit/main/docs/start/first.md`,
    ]),
  )
  expect(built['start/first.html']).toContain(
    '<picture><source srcset="../it-dark.png" media="(prefers-color-scheme: dark)"><img src="../it-light.png"',
  )
  expect(built).toMatchObject({ 'data.json': '{}', 'it-light.png': 'light', 'it-dark.png': 'dark' })
  expect(built['libraries/x.md']).toContain('[the manual](../index.md)')
})

test('a moved section keeps its address, which leads to its new page', async () => {
  const { problems: said, built } = await buildManual({
    'docs/navigation.json': JSON.stringify([
      { title: 'All', pages: ['docs/a.md', 'docs/more/b.md', 'docs/more/c.md'] },
      { title: 'For contributors', isOnGitHub: true, pages: ['docs/terms.md'] },
    ]),
    'docs/moved.json': JSON.stringify({ 'a#go': 'more/b#gone', 'more/b#up': 'a' }),
    'docs/a.md': '# A\n\nSee [terms](terms.md#x).',
    'docs/more/b.md': '# B\n\n## Gone\n',
    'docs/more/c.md': '# C\n\nText.',
    'docs/terms.md': '# Terms\n\nText.',
  })
  expect(said).toEqual([])
  const [a, b, c] = ['a', 'more/b', 'more/c'].map((path) => pageFacts(built[`${path}.html`] ?? ''))
  expect(a?.ids).toContain('go')
  expect(a?.links).toContain('more/b.html#gone')
  expect(b?.ids).toContain('up')
  expect(b?.links).toContain('../a.html')
  expect(c?.ids).not.toContain('up')
  expect(built).not.toHaveProperty(['terms.html'])
  expect(a?.links).toContain('https://github.com/pith-mcp/pith/blob/main/docs/terms.md#x')
})

test('marks make cards of a list, and panels of sections', async () => {
  const { problems: said, built } = await buildManual({
    'docs/navigation.json': JSON.stringify([{ title: 'All', pages: ['docs/a.md'] }]),
    'docs/a.md':
      '# A\n\n<!-- cards -->\n\n- [A](a.md): it.\n\n- B\n\n<!-- tabs system -->\n\n## One\n\n### More\n\n## Two\n\nText.\n\n<!-- /tabs -->\n\n## After\n',
  })
  expect(said).toEqual([])
  const html = (built['a.html'] ?? '')
    .replaceAll(/<a class="headerlink".*?<\/a>/g, '')
    .replaceAll('\n', '')
  expect(html).toContain('<ul class="cards">')
  expect(html).toContain(
    '<div class="tabs" data-name="system"><div class="panel"><h2 id="one">One</h2><h3 id="more">More</h3></div><div class="panel"><h2 id="two">Two</h2><p>Text.</p></div></div><h2 id="after">',
  )
  expect(built['a.md']).toContain('<!-- tabs system -->')
})

describe('every page', () => {
  test('has one first heading, a title, a description and a twin that it names', () => {
    for (const path of htmlPaths()) {
      const { title, headings, metas, rels } = factsOf(path)
      const first = headings.filter(({ level }) => level === 1)
      expect({ path, first: first.length }).toEqual({ path, first: 1 })
      expect(title, path).toMatch(/\S/)
      expect(metas['description'], path).toMatch(/\S.*\S/)
      const twin = inSite(path, rels['alternate'] ?? '')
      expect(twin?.file).toBe(path.replace(/html$/, 'md'))
      expect(files).toContain(twin?.file)
    }
  })

  test('links only to what is there, anchors included', () => {
    const idsOf = new Map(
      files.filter((path) => path.endsWith('.html')).map((path) => [path, factsOf(path).ids]),
    )
    const dead = [...htmlPaths(), '404.html'].flatMap((path) => {
      const { links, resources } = factsOf(path)
      return [...links, ...resources].filter((link) => {
        const target = inSite(path, link)
        if (!target) return false
        const isThere = files.includes(target.file)
        return !isThere || (target.hash !== '' && !isId(idsOf.get(target.file), target.hash))
      })
    })
    expect(dead).toEqual([])
  })

  test('has in its Markdown links to Markdown, all of which are there', () => {
    const markdown = unified().use(remarkParse).use(remarkGfm)
    for (const { path } of pages)
      visit(markdown.parse(read(`${path}.md`)), ['link', 'image', 'definition'], (node) => {
        const target = inSite(`${path}.md`, 'url' in node ? node.url : '')
        if (!target) return
        expect(files, path).toContain(target.file)
        expect(target.file).not.toMatch(/\.html$/)
      })
  })

  test('names each id once', () => {
    for (const path of htmlPaths()) {
      const { ids } = factsOf(path)
      expect(new Set(ids).size, path).toBe(ids.length)
    }
  })

  test('loads nothing from elsewhere, and no script or style stands in it', () => {
    for (const path of [...htmlPaths(), '404.html']) {
      const { resources, inline, metas } = factsOf(path)
      expect(resources.filter((url) => !inSite(path, url))).toEqual([])
      expect(inline, path).toBe(0)
      expect(metas['Content-Security-Policy']).toMatch(/^default-src 'self';/)
    }
    expect(read('site.css')).not.toMatch(/url\(|@import/)
  })

  test('is light', () => {
    const heavy = htmlPaths()
      .filter((path) => !path.includes('reference'))
      .filter((path) => Buffer.byteLength(read(path)) > 60_000)
    expect(heavy).toEqual([])
    const frame = Buffer.byteLength(read('site.css') + read('site.js'))
    expect(frame).toBeLessThan(20_000)
    expect(gzipSync(read('search/search.js')).length).toBeLessThan(40_000)
    expect(files.filter((path) => path.endsWith('.js')).sort()).toEqual([
      'search/search.js',
      'site.js',
      'theme.js',
    ])
  })
})

test('llms.txt, llms-full.txt and the sitemap name every page', () => {
  const llms = read('llms.txt')
  expect(llms).toMatch(/^# Pith\n\n> \S.*\n\n## \S/)
  const full = read('llms-full.txt')
  expect(full).not.toMatch(/\]\((?:\.\.\/|[\w/-]+\.md|#)/)
  for (const { path, title } of pages) {
    expect(llms).toMatch(new RegExp(`^- \\[${title}\\]\\(${base}${path}\\.md\\): \\S`, 'm'))
    expect(full).toContain(`# ${title}\nSource: ${base}${path}.html\n`)
    expect(read('sitemap.xml')).toContain(`<loc>${base}${path}.html</loc>`)
  }
  expect(read('robots.txt')).toContain(`Sitemap: ${base}sitemap.xml`)
})

test('the index has every section, with its title and text', () => {
  const { docs } = JSON.parse(read('search/search_index.json')) as {
    docs: { location: string; title: string; text: string }[]
  }
  const locations = htmlPaths().flatMap((path) =>
    factsOf(path).headings.map(({ level, id }) => (level === 1 ? path : `${path}#${id}`)),
  )
  expect(docs.map(({ location }) => location)).toEqual(locations)
  expect(docs.filter(({ title }) => /^$|¶/.test(title))).toEqual([])
  const about = docs.find(({ location }) => location === 'libraries/scorer.html#how-it-ranks')
  expect(about?.text).toMatch(/^The ranking is BM25F: rare terms count more/)
})

const isId = (ids: readonly string[] | undefined, hash: string) =>
  ids?.includes(decodeURIComponent(hash.slice(1)))

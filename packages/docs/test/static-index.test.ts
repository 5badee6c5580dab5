import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { createDocs } from '@pith-mcp/docs'
import { expect, test } from 'vitest'
import { html, type LoopbackSite, startSite } from './loopback-site.ts'

const fixtures = fileURLToPath(new URL('fixtures/static-index/', import.meta.url))

interface BuiltSite {
  folder: string
  via: string
  /** The page that is the source. */
  front: string
  root?: string
  extra?: Record<string, string>
  /** Where the files of the index lie. */
  at: string
  query?: string
  hit: string
}

/** Small sites built by the generators themselves; of their pages only the lines that tell them. */
const sites: BuiltSite[] = [
  {
    folder: 'sphinx',
    via: 'Sphinx index',
    front: '<html data-content_root="./"><script src="_static/documentation_options.js"></script>',
    extra: { '_static/documentation_options.js': "BUILDER: 'dirhtml', FILE_SUFFIX: '.html'" },
    at: '',
    hit: 'guide/install/#install',
  },
  {
    folder: 'sphinx-old',
    via: 'Sphinx index',
    front:
      '<script id="documentation_options" data-url_root="./" src="_static/doctools.js"></script>',
    at: '',
    hit: 'guide/install.html#install',
  },
  {
    folder: 'mkdocs',
    via: 'MkDocs index',
    front: '<meta name="generator" content="mkdocs-1.6.1"><script>var base_url = "."</script>',
    at: 'search/',
    hit: 'guide/install/#installing-demo-co',
  },
  {
    folder: 'mkdocs',
    via: 'MkDocs index',
    front: '<input type="search" data-index="search/search_index.json">',
    root: 'manual/',
    at: 'manual/search/',
    hit: 'manual/guide/install/#installing-demo-co',
  },
  {
    folder: 'material',
    via: 'MkDocs index',
    front: '<script id="__config" type="application/json">{"base": "."}</script>',
    at: 'search/',
    hit: 'guide/install/',
  },
  {
    folder: 'mdbook',
    via: 'mdBook index',
    front:
      '<!-- Book generated using mdBook --><script>const path_to_root = ""; window.path_to_searchindex_js = "searchindex.js"</script>',
    at: '',
    hit: 'guide/install.html#install',
  },
  {
    folder: 'vitepress',
    via: 'VitePress index',
    front:
      '<meta name="generator" content="VitePress v1.6.4"><script type="module" src="/docs/assets/app.ZDUa2qy4.js"></script>',
    root: 'docs/',
    extra: {
      'docs/assets/app.ZDUa2qy4.js': 'import{t}from"./chunks/theme.X.js"',
      'docs/assets/chunks/theme.X.js': 'import("./VPLocalSearchBox.H9.js")',
      'docs/assets/chunks/VPLocalSearchBox.H9.js':
        'const i={root:()=>import("./@localSearchIndexroot.DeB55PMQ.js")}',
    },
    at: 'docs/assets/chunks/',
    hit: 'docs/guide/install.html#install',
  },
  {
    folder: 'docusaurus',
    via: 'Docusaurus index',
    front:
      '<meta name="generator" content="Docusaurus v3.10"><script src="/base/assets/js/main.js"></script>',
    root: 'base/',
    at: 'base/',
    hit: 'base/docs/guide/install',
  },
  {
    folder: 'lunr',
    via: 'Docusaurus index',
    front: '<meta name="generator" content="Docusaurus v3.10">',
    root: 'base/',
    at: 'base/',
    hit: 'base/docs/guide/install',
  },
]

const installPage = (query: string) =>
  html(
    `<title>Install</title><main><h1 id="install">Install demo</h1><p>How to install it: ${query}.</p></main>`,
  )

async function startWith({
  folder,
  front,
  at,
  root = '',
  extra = {},
  query = 'installing',
  hit,
}: BuiltSite) {
  const pages: Parameters<typeof startSite>[0] = {
    [`/${root}`]: html(front),
    [`/${hit.split('#')[0]}`]: installPage(query),
  }
  const files = readdirSync(fixtures + folder, { recursive: true, encoding: 'utf8' })
  for (const name of files.filter((file) => /\.\w+$/.test(file)))
    pages[`/${at}${name}`] = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/octet-stream' })
        .end(readFileSync(`${fixtures}${folder}/${name}`))
  for (const [name, text] of Object.entries(extra))
    pages[`/${name}`] = html(text, 'text/javascript')
  return startSite(pages)
}

test.each(sites)('$folder: its own index leads to the page', async (site) => {
  const server = await startWith(site)
  const docs = await createDocs({ sources: [`${server.url}/${site.root ?? ''}`] })
  const [status] = await docs.update()
  const { hits } = await docs.search(site.query ?? 'installing')
  expect(status).toMatchObject({ via: site.via, isComplete: true, pages: 1, unread: 0 })
  // The others are not there.
  expect(status?.failed).toBeGreaterThan(1)
  expect(hits[0]).toMatchObject({
    url: `${server.url}/${site.hit.split('#')[0]}#install`,
    title: 'Install demo',
  })
  await docs.close()
  await server.close()
})

const packed = deflateSync(
  JSON.stringify({ rows: [{ name: 'open', url: 'functions/open.html', parent: 'Files' }] }),
)
const published: [via: string, front: string, files: Record<string, string>, page: string][] = [
  [
    'javadoc index',
    '<meta name="generator" content="javadoc/ModuleIndexWriter">',
    {
      'package-search-index.js': 'packageSearchIndex = [{"m":"base","l":"io.files"}];update()',
      'type-search-index.js': 'typeSearchIndex = [{"p":"io.files","l":"Path"}];update()',
      'member-search-index.js':
        'memberSearchIndex = [{"p":"io.files","c":"Path","l":"open(int)","u":"open(int)"}];update()',
    },
    'base/io/files/Path.html',
  ],
  [
    'rustdoc index',
    '<meta name="generator" content="rustdoc"><a href="demo/index.html">Demo</a>',
    {
      'demo/index.html': '<meta name="rustdoc-vars" data-root-path="../" data-resource-suffix="1">',
      'crates1.js': 'window.ALL_CRATES = ["demo"];',
      'demo/all.html': '<li><a href="io/fn.open.html">io::open</a></li>',
    },
    'demo/io/fn.open.html',
  ],
  [
    'Doxygen index',
    '<meta name="generator" content="Doxygen 1.9.4"/>',
    {
      'search/searchdata.js': 'var indexSectionsWithContent =\n{\n  0: "o",\n  1: "o"\n};',
      'search/all_0.js':
        "var searchData=\n[\n  ['open_0',['open',['../classFiles.html#a1',1,'Files::open(int)'],['../group__io.html#a2',1,'open(): io']]]\n];",
    },
    'classFiles.html',
  ],
  [
    'TypeDoc index',
    '<meta name="generator" content="typedoc">',
    { 'assets/search.js': `window.searchData = "${packed.toString('base64')}"` },
    'functions/open.html',
  ],
  [
    'ExDoc index',
    '<meta name="generator" content="ExDoc v0.34">',
    {
      'search.html': '<script src="dist/search_data-0A1B.js"></script>',
      'dist/search_data-0A1B.js':
        'searchData={"items":[{"type":"function","title":"Files.open/1","doc":"Opens.","ref":"Files.html#open/1"}]}',
    },
    'Files.html',
  ],
  [
    'Just the Docs index',
    '<link href="/assets/css/just-the-docs-default.css">',
    {
      'assets/js/search-data.json':
        '{"0":{"doc":"Files","title":"Open","content":"How to open","url":"/files/"}}',
    },
    'files/',
  ],
]
test.each(published)('%s', async (via, front, files, page) => {
  const pages: Parameters<typeof startSite>[0] = {
    '/': html(front),
    [`/${page}`]: html('<main><h1 id="open">Open</h1><p>Files are opened here.</p></main>'),
  }
  for (const [name, text] of Object.entries(files))
    pages[`/${name}`] = html(text, name.endsWith('.html') ? 'text/html' : 'text/javascript')
  const server = await startSite(pages)
  const docs = await createDocs({ sources: [`${server.url}/`] })
  const { hits, sources } = await docs.search('open')
  expect(sources[0]?.via).toBe(via)
  expect(hits.map(({ url }) => url)).toEqual([`${server.url}/${page}#open`])
  await docs.close()
  await server.close()
})

test('the section, the excerpt and the headings are from the page that an index leads to', async () => {
  const [site] = sites
  if (!site) throw new Error('no site')
  const server = await startWith(site)
  const docs = await createDocs({ sources: [`${server.url}/`] })
  const { hits } = await docs.search('installing', { includeHeadings: true })
  expect(hits[0]).toMatchObject({
    title: 'Install demo',
    excerpt: 'How to install it: installing.',
    headings: [{ id: 'install', title: 'Install demo', level: 1 }],
  })
  await docs.close()
  await server.close()
})

test('an index that cannot be read is passed over', async () => {
  const server: LoopbackSite = await startSite({
    '/': html(
      '<script src="_static/doctools.js"></script><main><h1>Home</h1><p>Zebras live in herds.</p></main>',
    ),
    '/searchindex.js': html('Search.setIndex({"docnames":[', 'text/javascript'),
  })
  const docs = await createDocs({ sources: [`${server.url}/`] })
  const { hits, sources } = await docs.search('zebras')
  expect(sources[0]?.via).toBe('links from page to page')
  expect(hits[0]?.title).toBe('Home')
  await docs.close()
  await server.close()
})

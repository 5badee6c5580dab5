import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createDocs, type DocsOptions } from '@pith-mcp/docs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { type Call, callIn, unproved } from '../../../test/lever-phrases.ts'
import { maxText } from '../src/reply-limit.ts'
import { createServer } from '../src/server.ts'
import { writePages } from './levers/pages.ts'

const folder = temporaryFolder()
const opened: (() => Promise<unknown>)[] = []

interface Reply {
  text: string
  isError: boolean
}
type Ask = (...call: Call) => Promise<Reply>
let ask: Ask

async function serve(options: DocsOptions): Promise<Ask> {
  const docs = await createDocs({ cap: maxText, limits: { perSecond: 1_000 }, ...options })
  const client = new Client({ name: 'test', version: '0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createServer({ openDocs: async () => docs, sources: options.sources ?? [] })
  await Promise.all([server.connect(far), client.connect(near)])
  opened.push(async () => {
    await client.close()
    await docs.close()
  })
  return async (name, args) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const [first] = content
    return { text: first?.type === 'text' ? first.text : '', isError }
  }
}

beforeAll(async () => {
  await writePages(folder)
  ask = await serve({ sources: [folder] })
})

afterAll(async () => {
  for (const close of opened) await close()
})

/** Text of pages in a reply. */
const quoted = (reply: string): string =>
  [...reply.matchAll(/^<page_text>\n([\s\S]*?)\n<\/page_text>$/gm)]
    .map(([, text]) => text)
    .join('\n')

type Follow = (line: string, call: Call, reply: string) => Call

interface Lever {
  /** The text in the source. */
  source: string
  call: Call
  /** The line of the reply. */
  says: RegExp
  /** Follows the line; by default with the call in it. */
  follow?: Follow
}

const raise =
  (name: string, value: unknown): Follow =>
  (_line, [tool, args]) => [tool, { ...args, [name]: value }]
/** The call of the line, with a name instead of its ellipsis. */
const named =
  (name: string): Follow =>
  (line) =>
    callIn(line.replaceAll('"…"', JSON.stringify(name)))
const inDoc = (url: string, query: string, more: Record<string, unknown> = {}): Call => [
  'search_in_doc',
  { url, query, ...more },
]

// biome-ignore format: a table has one line for each row.
const more: readonly Lever[] = [
  { source: "'max_sections'} for more", call: inDoc('dial.html', 'trembles', { max_sections: 2 }), says: /raise max_sections for more/, follow: raise('max_sections', 10) },
  { source: "'max_length' : 'max_sections'", call: inDoc('dial.html', 'trembles', { max_sections: 10 }), says: /raise max_length for more/, follow: raise('max_length', 10_000) },
  { source: "; next: ${callText('get_doc_section'", call: inDoc('dial.html', 'trembles', { max_sections: 10, max_length: 0 }), says: /\[10 of 14 matching sections; next: .*/ },
  { source: "!isWhole && `[next: ${callText(", call: inDoc('late.html', 'zymurgy'), says: /^\[next: get_doc_section.*/m },
  { source: "return `[next: ${callText(", call: ['search_docs', { query: 'zymurgy' }], says: /^\[next: get_doc_section.*/m },
  { source: "callText('get_doc_toc', { url })}]`,", call: inDoc('dial.html', 'xylophone'), says: /^\[next: get_doc_toc.*/m },
  { source: 'rows of its tables', call: inDoc('rows.html', 'reason'), says: /^\[rows of its tables.*/m, follow: named('opt-118') },
  { source: 'rows of its tables', call: ['get_doc_section', { url: 'rows.html', section: 'options' }], says: /^\[rows of its tables.*/m, follow: named('opt-119') },
  { source: 'raise max_rows or', call: ['search_table', { url: 'rows.html', query: 'reason' }], says: /raise max_rows or add words to the query/, follow: raise('max_rows', 100) },
  { source: 'add words to the query', call: ['search_table', { url: 'wide.html', query: 'word', max_rows: 200 }], says: /searched; add words to the query/, follow: raise('query', 'word key-99') },
  { source: "No tables to search", call: ['search_table', { url: 'dial.html', query: 'needle' }], says: /^\[next: search_in_doc.*/m },
  { source: "No row contains a word", call: ['search_table', { url: 'rows.html', query: 'them' }], says: /^\[next: search_in_doc.*/m },
  { source: "No row has", call: ['search_table', { url: 'rows.html', query: 'max-unacked-reasons' }], says: /^\[next: search_in_doc.*/m },
  { source: 'include_code_blocks=true', call: ['get_doc_section', { url: 'code.html', section: 'run' }], says: /^\[1 code block left out: include_code_blocks=true\]/m, follow: raise('include_code_blocks', true) },
  { source: '[next: ${callText(tool, { ...args, page', call: ['get_doc_content', { url: 'late.html' }], says: /^\[next: get_doc_content.*/m },
  { source: '[next: ${callText(tool, { ...args, page', call: ['get_doc_section', { url: 'late.html#long' }], says: /^\[next: get_doc_section.*/m },
  { source: "{ url, section, page: list.nextPage }", call: ['get_doc_toc', { url: 'flat.html' }], says: /^\[next: get_doc_toc.*/m },
  { source: '[+n sections below', call: ['get_doc_toc', { url: 'deep.html' }], says: /^\[\+n sections below.*/m, follow: named('c7') },
  { source: 'to read a section by title or {id}', call: ['get_doc_toc', { url: 'dial.html' }], says: /^\[to read a section by title.*/m, follow: named('Part 3') },
  { source: 'pass a ${section === undefined', call: ['recommend_docs', { url: 'links.html' }], says: /more linked pages: pass a section/, follow: raise('section', 'list') },
  { source: 'pass a ${section === undefined', call: ['recommend_docs', { url: 'links.html', section: 'all' }], says: /more linked pages: pass a subsection/, follow: raise('section', 'all-2') },
  { source: 'No pages related', call: ['recommend_docs', { url: 'code.html' }], says: /^\[next: get_doc_toc.*/m },
  { source: "'more heading'", call: ['search_docs', { query: 'Chapter 39', include_headings: true, max_results: 1 }], says: /^\[\d+ more headings: get_doc_toc.*/m },
]

/** A page of a token, section or file that does not exist, and what its remedy leads to. */
const dial = { url: 'dial.html' }
// biome-ignore format: a table has one line for each row.
const errors: readonly Lever[] = [
  { source: 'Pass the token exactly as in the previous reply', call: ['get_doc_content', { ...dial, page: 'x' }], says: /\(one of 0\.\w+/, follow: ([...line]) => ['get_doc_content', { ...dial, page: line.join('').slice(8) }] },
  { source: "'Leave out `page` to begin", call: ['get_doc_content', { ...dial, page: '10.aaaaaa' }], says: /Leave out `page`/, follow: () => ['get_doc_content', dial] },
  { source: 'Pass an offset from 0 to', call: ['get_doc_content', { ...dial, start_index: 1e9 }], says: /from 0 to \d+/, follow: (line) => ['get_doc_content', { ...dial, start_index: Number(line.slice(10)) }] },
  { source: 'Pass an id or title from the table', call: ['get_doc_section', dial], says: /Pass an id or title/, follow: () => ['get_doc_section', { ...dial, section: 'Part 3' }] },
  { source: 'Pass the id of one of them', call: ['get_doc_section', { url: 'twice.html', section: 'Usage' }], says: /Pass the id of one of them: .*\((\w+)\)|Pass the id of one of them: (\w+)/, follow: () => ['get_doc_section', { url: 'twice.html', section: 'b' }] },
  { source: 'Pass the best ones, or search again', call: ['search_docs', { queries: ['a', 'b', 'c', 'needle', 'e'] }], says: /Pass the best ones/, follow: () => ['search_docs', { queries: ['needle', 'e'] }] },
  { source: 'Pass one or more words to search for', call: inDoc('dial.html', ' '), says: /Pass one or more words/, follow: raise('query', 'needle') },
  { source: "Or pass the URL of a documentation site", call: ['search_docs', { query: 'needle', source: 'nowhere' }], says: /Sources: (\S+)\./, follow: (line, [tool, args]) => [tool, { ...args, source: line.slice(9, -1) }] },
  { source: 'Pass a path below a source folder', call: ['get_doc_toc', { url: '../etc/passwd.html' }], says: /Pass a path below a source folder/, follow: () => ['get_doc_toc', dial] },
  { source: "'Pass the path of a page in the folder", call: ['get_doc_toc', { url: '.' }], says: /Pass the path of a page in the folder/, follow: () => ['get_doc_toc', dial] },
  { source: 'Pass an http:// or https:// URL, or the path', call: ['get_doc_toc', { url: 'gopher://x/' }], says: /or the path of a page in a source folder/, follow: () => ['get_doc_toc', dial] },
]

async function follow(lever: Lever): Promise<[before: Reply, after: Reply]> {
  const before = await ask(...lever.call)
  expect(before.text).toMatch(lever.says)
  const [line = ''] = lever.says.exec(before.text) ?? []
  const next = (lever.follow ?? ((text) => callIn(text)))(line, lever.call, before.text)
  return [before, await ask(...next)]
}

test.each(more)('$says gets text that was not there', async (lever) => {
  const [before, after] = await follow(lever)
  expect(after).toMatchObject({ isError: false })
  const seen = new Set(quoted(before.text).split('\n'))
  expect(
    quoted(after.text)
      .split('\n')
      .filter((line) => !seen.has(line)),
  ).not.toEqual([])
})

test.each(errors)('$says ends the error', async (lever) => {
  const [before, after] = await follow(lever)
  expect(before.isError).toBe(true)
  expect(after).toMatchObject({ isError: false })
})

describe('a site', () => {
  let url: string
  let open: () => void
  const released = new Promise<void>((resolve) => {
    open = resolve
  })

  beforeAll(async () => {
    const words: Record<string, string> = { '/b/3.html': 'gyroscope', '/slow/2.html': 'barometer' }
    const site = createHttpServer(async ({ url: path = '/' }, response) => {
      const links = ['a', 'b'].flatMap((part) => [1, 2, 3].map((at) => `/${part}/${at}.html`))
      const isSlow = path.startsWith('/slow/') && path !== '/slow/'
      if (isSlow) await released
      const known = path === '/' || path === '/slow/' || links.includes(path) || isSlow
      const list = path.startsWith('/slow/') ? ['/slow/1.html', '/slow/2.html'] : links
      response
        .writeHead(known ? 200 : 404, { 'content-type': 'text/html' })
        .end(
          `<title>Page ${path}</title><main><h1>Page</h1><p>The ${words[path] ?? ''} dial is here, with enough text to be a page.</p>${list.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</main>`,
        )
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    opened.push(async () => site.close())
  })

  test('is read further by the URL of its part', async () => {
    const own = await serve({ sources: [`${url}/`], maxPages: 4 })
    const args = { query: 'gyroscope' }
    const before = await own('search_docs', args)
    expect(before.text).toContain('to search another part, pass its URL as source]')
    expect(quoted(before.text)).not.toContain('gyroscope')
    const after = await own('search_docs', { ...args, source: `${url}/b/3.html` })
    expect(quoted(after.text)).toContain('gyroscope')
  })

  test('has more results when the search is repeated', async () => {
    const own = await serve({ sources: [`${url}/slow/`], searchWaitMs: 1 })
    const args = { query: 'barometer' }
    const before = await own('search_docs', args)
    expect(before.text).toContain('repeat the search for more results')
    open()
    let after = before
    while (after.text.includes('repeat the search')) after = await own('search_docs', args)
    expect(quoted(after.text)).toContain('barometer')
  })
})

test('a folder is read further with more pages', async () => {
  const few = await serve({ sources: [folder], maxPages: 2 })
  const args = { query: 'needle', max_results: 20 }
  const before = await few('search_docs', args)
  expect(before.text).toContain('not read: pages beyond the 2 read')
  expect(before.text).toContain('[raise --max-pages of the server]')
  expect((await ask('search_docs', args)).text).not.toContain('--max-pages')
})

test.each(['max_results', 'max_sections', 'max_rows'])(
  '%s outside its bounds is set to the nearest',
  async (name) => {
    const [tool, args]: Call =
      name === 'max_results'
        ? ['search_docs', { query: 'trembles' }]
        : name === 'max_rows'
          ? ['search_table', { url: 'rows.html', query: 'reason' }]
          : inDoc('dial.html', 'trembles', { max_length: 0 })
    const of = async (value: number) => (await ask(tool, { ...args, [name]: value })).text
    expect(await of(-3)).toBe(await of(1))
    expect(await of(1e6)).toBe(
      await of({ max_results: 20, max_sections: 10, max_rows: 200 }[name] ?? 0),
    )
  },
)

/** Texts that other tests follow, or that need what a test cannot have. */
const elsewhere = [
  // Languages of a site: render-search.test.ts. Guides of a site: compat and site tests.
  'for others translate it',
  'translate the query',
  'contents of the guide',
  '{ url, section: below, page: nextPage }',
  '+n pages below',
  'Pass a title or the end of a URL from the contents',
  // No row fits: a table of one enormous row.
  'none fits into a reply',
  // Sources when the server starts: main, archive and page-listing tests.
  'Pass a .zip, .tar or .tar.gz',
  'Pass a folder of pages, a page, an archive',
  'Pass a folder with ${formatNames',
  'Pass the URL of a documentation site',
  'Pass the URL of a site as a source',
  'Use the URL of a source',
  'Use Node 22.13',
  // Installed packages: installed-libraries.test.ts.
  'the URL of its documentation',
  // Hosts that cookies are sent to: cookies.test.ts.
  'of the setting only: add ${place.host',
  // Answers of hosts: fetch tests.
  'ry again later',
  'Pass a URL of ${access.only',
  'Pass an ${formatNames',
  'Pass the whole URL',
]

test('every text that tells what to do has a row', () => {
  const src = new URL('../src/', import.meta.url).pathname
  const libraries = ['docs', 'fetch', 'formats', 'installed', 'sites'].map(
    (name) => new URL(`../../../packages/${name}/src/`, import.meta.url).pathname,
  )
  const folders = [`${src}render`, `${src}tools`, ...libraries]
  const own = ['raise --max-pages', 'repeat the search', 'pass its URL as source']
  const texts = [...[...more, ...errors].map(({ source }) => source), ...own, ...elsewhere]
  expect(unproved(folders, texts)).toEqual({ lines: [], texts: [] })
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'

const folder = temporaryFolder()
let docs: Docs

const rows = Array.from(
  { length: 300 },
  (_, at) =>
    `<tr><td>error_${at}</td><td>${at % 2 ? 'Fatal' : 'Warning'}</td><td>Text ${at} | bar</td></tr>`,
)
/** Longer than the links that are kept of a page. */
const menu = Array.from({ length: 400 }, (_, at) => `<a href="m${at}.html">Entry ${at}</a>`).join(
  '',
)
const errors = `<title>Errors</title><link rel="next" href="b.html" title="Next page">
<nav><a href="menu.html">Menu</a>${menu}</nav><main><h1 id="errors">Errors</h1>
<p>See <a href="b.html#x">page B</a> and <a href="c.html">page C</a>, <a href="c.html#y">again C</a>.</p>
<h2 id="codes">Codes</h2><table><tr><th>Name</th><th>Severity</th><th>Meaning</th></tr>${rows.join('')}</table>
<h2 id="other">Other</h2><table><tr><th>Flag</th><th>Default</th></tr><tr><td>--port</td><td>8080</td></tr></table>
<h2 id="more">See also</h2><ul><li><a href="d.html">Page D</a></li></ul></main>`

beforeAll(async () => {
  await writeFile(join(folder, 'a.html'), errors)
  for (const name of ['b', 'c', 'd', 'e'])
    await writeFile(
      join(folder, `${name}.html`),
      `<title>${name}</title><main><h1>Page ${name}</h1><p>Errors.</p></main>`,
    )
  docs = await createDocs({ sources: [folder] })
})
afterAll(() => docs.close())

describe('rows of tables', () => {
  test('are those that have all words, under their header', async () => {
    const found = await docs.searchTable('a.html', 'error_17 fatal')
    expect(found).toMatchObject({ found: 'all', matches: 1, rows: 301, searchedTables: 2 })
    expect(found.tables).toMatchObject([
      {
        section: { id: 'codes', title: 'Codes' },
        markdown: '|Name|Severity|Meaning|\n|-|-|-|\n|error\\_17|Fatal|Text 17 \\| bar|'.replace(
          '\\_',
          '_',
        ),
        shown: 1,
      },
    ])
  })

  test('are counted where there are more than are given', async () => {
    const { tables, matches } = await docs.searchTable('a.html', 'fatal', { maxRows: 5 })
    expect(tables).toMatchObject([{ shown: 5, matches: 150, rows: 300 }])
    expect(matches).toBe(150)
  })

  test('may be asked for by the name of a column', async () => {
    const { tables } = await docs.searchTable('a.html', 'default port')
    expect(tables).toMatchObject([{ section: { id: 'other' }, shown: 1 }])
  })

  test('are those with the most words if none has all', async () => {
    const { found, tables } = await docs.searchTable('a.html', 'error_17 xylophone')
    expect(found).toBe('some')
    expect(tables[0]?.markdown).toContain('error_17')
    expect((await docs.searchTable('a.html', 'xylophone')).found).toBe('none')
  })

  test('are looked for in one section if it is named', async () => {
    const { searchedTables } = await docs.searchTable('a.html', 'fatal', { section: 'Other' })
    expect(searchedTables).toBe(1)
  })
})

test('related pages are those before and after, see also, linked and alike; menus are not', async () => {
  await docs.search('errors')
  const related = await docs.related('a.html')
  expect(related.next).toEqual([{ url: 'b.html', title: 'Next page' }])
  expect(related.seeAlso).toEqual([{ url: 'd.html', title: 'Page D' }])
  expect(related.linked.map(({ url }) => url)).toEqual(['c.html', 'b.html#x'])
  expect(related.similar.map(({ url }) => url)).toEqual(['e.html'])
  expect(JSON.stringify(related)).not.toContain('menu.html')
  const section = await docs.related('a.html', 'See also')
  expect(section.linked).toEqual([])
  expect(section.seeAlso).toHaveLength(1)
})

test('links next to the term See also are found, others of the list are not', async () => {
  await writeFile(
    join(folder, 'stage.html'),
    `<main><h1 id="stage">Stage</h1><p>See <a href="b.html">Page b</a>.</p>
<dl><dt>See also:</dt><dd><a href="c.html">Page c</a>, <a href="b.html">Page b</a></dd>
<dt>Values</dt><dd><a href="d.html">Page d</a></dd></dl><p><a href="e.html">Page e</a></p></main>`,
  )
  const related = await docs.related('stage.html')
  expect(related.seeAlso.map(({ url }) => url)).toEqual(['c.html', 'b.html'])
  expect(related.linked.map(({ url }) => url)).toEqual(['d.html', 'e.html'])
})

test('links below headings without fragments are of the sections that say them, all of them', async () => {
  const many = Array.from({ length: 40 }, (_, at) => `<a href="m${at}.html">Entry ${at}</a> `)
  await writeFile(
    join(folder, 'plain.html'),
    `<main><h1>Plain</h1><p>Text.</p><h2>First</h2><p>See <a href="b.html">page B</a>.</p><h2>Second</h2><p>${many.join('')}</p></main>`,
  )
  const of = async (section: string) =>
    (await docs.related('plain.html', section)).linked.map(({ title }) => title)
  expect(await of('First')).toEqual(['page B'])
  expect(await of('Second')).toHaveLength(40)
})

test('several sections come within one budget; one that is not there is told', async () => {
  const read = await docs.sections('a.html', ['other', 'See also', 'nothing like it'], {
    maxLength: 400,
  })
  expect(read.sections.map(({ id }) => id)).toEqual(['other', 'more'])
  expect(read.missing).toMatchObject([{ name: 'nothing like it' }])
  const length = read.sections.reduce((sum, { excerpt }) => sum + excerpt.markdown.length, 0)
  expect(length).toBeLessThanOrEqual(400)
  await expect(docs.sections('a.html', ['x1', 'x2'])).rejects.toMatchObject({
    code: 'section_not_found',
  })
  const nested = await docs.sections('a.html', ['errors', 'other'])
  const [outer = '', inner = ''] = nested.sections.map(({ excerpt }) => excerpt.markdown)
  expect(nested.sections.map(({ id }) => id)).toEqual(['errors', 'other'])
  expect(outer).not.toContain(inner.trim())
})

test('sections that changed since they were read are marked until they are read again', async () => {
  const write = (install: string, others = '') =>
    writeFile(
      join(folder, 'news.html'),
      `<main><h1>News</h1><h2 id="i">Install</h2><p>${install}</p><h2 id="u">Use</h2><p>Run it.</p>${others}</main>`,
    )
  const marks = async () =>
    (await docs.toc('news.html')).entries.flatMap(({ id, change }) =>
      change ? [[id, change]] : [],
    )
  await write('Old way.')
  expect(await marks()).toEqual([])
  await write('The new way.', '<h2 id="n">Notes</h2><p>New.</p>')
  expect(await marks()).toEqual([
    ['i', 'changed'],
    ['n', 'new'],
  ])
  expect((await docs.toc('news.html')).list.markdown).toMatch(/Install ~\d+ changed/)
  await docs.section('news.html', 'Install')
  expect(await marks()).toEqual([['n', 'new']])
  await docs.find('news.html', 'notes')
  expect(await marks()).toEqual([])
  await write('The new way.')
  expect((await docs.toc('news.html')).removed).toEqual(['n'])
  expect((await docs.toc('news.html')).removed).toEqual([])
})

test('a mistyped word is repaired, and a word that no page has is told', async () => {
  const { hits, repairs } = await docs.search('severty errors')
  expect(repairs).toEqual([{ word: 'severty', used: 'severity' }])
  expect(hits[0]?.url).toContain('a.html')
  const { hits: none, misses } = await docs.search('xylophone')
  expect(none).toEqual([])
  expect(misses).toEqual([{ word: 'xylophone', nearest: [] }])
})

test('with a query, long sections are cut to its passages, with their code', async () => {
  const filler = Array.from({ length: 60 }, (_, at) => `Day ${at} is calm.`).join(' ')
  await writeFile(
    join(folder, 'logs.html'),
    `<main><h1>Logs</h1><h2 id="one">One</h2><p>${filler}</p><p>The pawl keeps the drum.</p><pre>${'haul --pawl\n'.repeat(8)}</pre><p>${filler}</p>
     <h2 id="two">Two</h2><p>Short.</p></main>`,
  )
  const { sections } = await docs.sections('logs.html', ['one', 'two'], {
    query: 'pawl drum',
    maxLength: 900,
  })
  const [one, two] = sections.map(({ excerpt }) => excerpt)
  expect(one).toMatchObject({ isPassages: true, codeBlocksOmitted: 0 })
  expect(one?.markdown).toContain('The pawl keeps the drum.')
  expect(one?.markdown).toContain('haul --pawl')
  expect((one?.markdown.length ?? 0) + (two?.markdown.length ?? 0)).toBeLessThanOrEqual(900)
  expect(two?.markdown).toContain('Short.')
  // Without names, that of the address.
  const alone = await docs.sections('logs.html#two', [], { query: 'pawl' })
  expect(alone.sections.map(({ id }) => id)).toEqual(['two'])
})

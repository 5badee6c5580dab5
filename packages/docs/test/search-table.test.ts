import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'

const folder = temporaryFolder()
let docs: Docs

beforeAll(async () => {
  docs = await createDocs({ sources: [folder] })
})

afterAll(() => docs.close())

/** Rows that a search finds, as objects. */
async function rowsOf(table: string, query: string, maxRows?: number) {
  const path = join(folder, `${Math.random()}.html`)
  await writeFile(path, `<main><h1>T</h1><p>Text.</p><table>${table}</table></main>`)
  const { tables } = await docs.searchTable(path, query, maxRows === undefined ? {} : { maxRows })
  return tables.flatMap(({ columns, cells }) =>
    cells.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? '']))),
  )
}

test('an empty cell is empty, whatever stands above it', async () => {
  const table =
    '<tr><th></th><th>2024</th><th>2025</th></tr><tr><td></td><td>USD</td><td>EUR</td></tr><tr><td>total</td><td>1</td><td>2</td></tr><tr><td></td><td>3</td><td>needle</td></tr>'
  expect(await rowsOf(table, 'USD')).toEqual([{ column_1: '', 2024: 'USD', 2025: 'EUR' }])
  expect(await rowsOf(table, 'needle')).toEqual([{ column_1: '', 2024: '3', 2025: 'needle' }])
})

test('a cell that spans rows or columns is said in each of them', async () => {
  const table =
    '<tr><th>Kind</th><th>Low</th><th>High</th></tr><tr><td rowspan="2">Memory</td><td colspan="2">All: 50</td></tr><tr><td>1</td><td>2</td></tr><tr><td>Disk</td><td>3</td><td rowspan="2">same</td></tr><tr><td>Tape</td><td>4</td></tr>'
  expect(await rowsOf(table, 'all 50')).toEqual([
    { Kind: 'Memory', Low: 'All: 50', High: 'All: 50' },
  ])
  expect(await rowsOf(table, 'memory 2')).toEqual([{ Kind: 'Memory', Low: '1', High: '2' }])
  expect(await rowsOf(table, 'tape same')).toEqual([{ Kind: 'Tape', Low: '4', High: 'same' }])
})

test('a header of two rows is one', async () => {
  const table =
    '<thead><tr><th rowspan="2">Name</th><th colspan="2">Limits</th></tr><tr><th>Requests</th><th>Tokens</th></tr></thead><tbody><tr><td>Haiku</td><td>10</td><td>20</td></tr></tbody>'
  expect(await rowsOf(table, 'haiku')).toEqual([
    { Name: 'Haiku', 'Limits - Requests': '10', 'Limits - Tokens': '20' },
  ])
  expect(await rowsOf(table, 'requests')).toEqual([])
})

test('thousands are found with and without what sets them apart', async () => {
  const table = '<tr><th>Name</th><th>Value</th></tr><tr><td>Rate</td><td>6,000</td></tr>'
  for (const query of ['6000', '6,000'])
    expect(await rowsOf(table, query)).toEqual([{ Name: 'Rate', Value: '6,000' }])
})

test('of more rows than are wanted, those named so come first', async () => {
  const table =
    '<tr><th>Name</th><th>Note</th></tr><tr><td>General</td><td>Titan requests</td></tr><tr><td>Titan requests</td><td>yes</td></tr>'
  expect(await rowsOf(table, 'titan requests', 1)).toEqual([
    { Name: 'Titan requests', Note: 'yes' },
  ])
})

test('rows that are titles of groups are no header, and a header may have plain cells', async () => {
  const grouped =
    '<tr><th>Name</th><th>V</th></tr><tr><th colspan="2">Linux</th></tr><tr><td>a</td><td>1</td></tr><tr><th colspan="2">Windows</th></tr><tr><td>b</td><td>2</td></tr>'
  expect(await rowsOf(grouped, 'b')).toEqual([{ Name: 'b', V: '2' }])
  const plain =
    '<thead><tr><td>Name</td><td>V</td></tr></thead><tbody><tr><td>a</td><td>1</td></tr></tbody>'
  expect(await rowsOf(plain, 'a')).toEqual([{ Name: 'a', V: '1' }])
})

test.for([
  [
    'over rows without cells',
    '<tr><td rowspan="2">a</td><td>1</td></tr><tr></tr><tr><td>b</td><td>needle</td></tr>',
    'b',
  ],
  [
    'to the end of its part',
    '<tr><td rowspan="0">a</td><td>1</td></tr><tr><td>needle</td></tr>',
    'a',
  ],
  [
    'no further than its part',
    '<tbody><tr><td rowspan="9">a</td><td>1</td></tr></tbody><tbody><tr><td>b</td><td>needle</td></tr></tbody>',
    'b',
  ],
  [
    'many rows',
    `<tr><td rowspan="300">a</td><td>1</td></tr>${'<tr><td>x</td></tr>'.repeat(298)}<tr><td>needle</td></tr>`,
    'a',
  ],
])('a cell spans %s', async ([, rows, name]) => {
  expect(await rowsOf(`<tr><th>Name</th><th>V</th></tr>${rows}`, 'needle')).toEqual([
    { Name: name, V: 'needle' },
  ])
})

test('a backslash at the end of a cell ends with it', async () => {
  const table = '<tr><th>Path</th><th>V</th></tr><tr><td>C:\\</td><td>needle</td></tr>'
  expect(await rowsOf(table, 'needle')).toEqual([{ Path: 'C:\\', V: 'needle' }])
})

test('a table after the entries of a section stands in that section', async () => {
  const path = join(folder, 'entries.html')
  await writeFile(
    path,
    '<main><h1>Module</h1><h2>Directives</h2><p>All.</p><dl><dt id="a">a</dt><dd><p>A.</p></dd><dt id="b">b</dt><dd><p>B.</p></dd></dl><table><tr><th>Name</th><th>Time</th></tr><tr><td>c</td><td>60s</td></tr></table></main>',
  )
  const { tables } = await docs.searchTable(path, '60s')
  expect(tables[0]?.section).toMatchObject({ title: 'Directives', path: ['Module'] })
})

test('a name that no row has is reported, instead of rows with a part of it', async () => {
  await writeFile(
    join(folder, 'names.html'),
    '<main><h1>T</h1><table><tr><th>Name</th><th>Use</th></tr><tr><td>max-clients</td><td>client, read only</td></tr><tr><td>t3.micro</td><td>**client**</td></tr></table></main>',
  )
  const find = async (query: string) => {
    const { tables, absent } = await docs.searchTable('names.html', query)
    return [tables.flatMap(({ cells }) => cells.map(([name]) => name)), absent]
  }
  expect(await find('max-unacked-clients')).toEqual([[], ['max-unacked-clients']])
  expect(await find('default of maxUnackedClients client')).toEqual([[], ['maxUnackedClients']])
  expect(await find('max_clients')).toEqual([['max-clients'], []])
  expect(await find('read-only client')).toEqual([['max-clients'], []])
  expect(await find('t3.mic')).toEqual([['t3.micro'], []])
  // A name of a column counts for rows with another word.
  await writeFile(
    join(folder, 'names.html'),
    '<main><h1>T</h1><table><tr><th>max_rows</th><th>Use</th></tr><tr><td>7</td><td>few</td></tr></table></main>',
  )
  expect(await find('max_rows few')).toEqual([['7'], []])
})

test('values are plain if they are to be', async () => {
  await writeFile(
    join(folder, 'marks.html'),
    '<main><h1>T</h1><table><tr><th><b>Name</b></th><th>Type</th></tr><tr><td>a_b</td><td><code>sns.Topic</code> | <em>x</em></td></tr></table></main>',
  )
  const { tables } = await docs.searchTable('marks.html', 'topic', { isPlain: true })
  expect(tables.map(({ columns, cells }) => [columns, cells])).toEqual([
    [['Name', 'Type'], [['a_b', 'sns.Topic | x']]],
  ])
})

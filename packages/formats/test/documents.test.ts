import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'
import { readReceived } from '../src/page-format.ts'

/** What a person read in the source of a document. */
interface Truth {
  /** True if it was written from the source alone, before any output of a reader was seen. */
  unseen?: true
  title: string
  /** `## Title`, without entries. */
  headings: string[]
  /** Titles of some entries. */
  entries?: string[]
  /** All of it, each with its language. */
  code: [language: string, text: string][]
  /** Rows of tables, as Markdown. */
  rows?: string[]
  /** Rows with the header, and columns, of all tables. */
  tables?: [rows: number, columns: number][]
  texts?: string[]
  /** As a reader of the rendered page has them: without emphasis, in lines of any length. */
  sentences?: string[]
  /** Markup and comments that are in no title, and in no block but code. */
  absent?: string[]
  /** Parts of what the reader says that it does not read, in order. */
  unread?: string[]
}

const folder = fileURLToPath(new URL('fixtures/documents', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const truthSuffix = '.truth.json'
const documents = files
  .filter((name) => name.endsWith(truthSuffix))
  .map((name) => ({
    truthFile: name,
    file:
      files.find((path) => path.startsWith(name.replace(truthSuffix, '.')) && path !== name) ?? '',
  }))

test.for(documents)('$file', async ({ truthFile, file }) => {
  const truth: Truth = JSON.parse(readFileSync(`${folder}/${truthFile}`, 'utf8'))
  const page = await readDocument(`${folder}/${file}`)
  const { headings, code, rows, tables, text, prose } = partsOf(page)
  const entries = page.sections.filter(({ kind }) => kind === 'entry').map(({ title }) => title)
  expect.soft(page.title).toBe(truth.title)
  expect.soft(headings).toEqual(truth.headings)
  expect.soft(code).toEqual(truth.code)
  expect
    .soft(page.health.unread ?? [])
    .toEqual((truth.unread ?? []).map((part) => expect.stringContaining(part)))
  expect.soft(entries).toEqual(expect.arrayContaining(truth.entries ?? []))
  expect.soft(rows.map(plain)).toEqual(expect.arrayContaining((truth.rows ?? []).map(plain)))
  if (truth.tables) expect.soft(tables).toEqual(truth.tables)
  for (const part of truth.texts ?? []) expect.soft(text).toContain(part)
  for (const part of truth.sentences ?? []) expect.soft(plain(prose)).toContain(plain(part))
  for (const part of truth.absent ?? []) expect.soft(prose).not.toContain(part)
})

test.for(documents)(
  '$file: its anchors are unique, and the same at every reading',
  async ({ file }) => {
    const ids = (page: Page) => page.sections.map(({ id }) => id)
    const first = ids(await readDocument(`${folder}/${file}`))
    expect(new Set(first).size).toBe(first.length)
    expect(ids(await readDocument(`${folder}/${file}`))).toEqual(first)
  },
)

async function readDocument(path: string): Promise<Page> {
  const compressed = readFileSync(path)
  const bytes = path.endsWith('.gz') ? gunzipSync(compressed) : compressed
  const { href } = pathToFileURL(path)
  const { text, format } = readReceived({ url: href, type: '', bytes }, () => ({
    text: bytes.toString('utf8'),
  }))
  if (!format) throw new Error(`${path} is of no format.`)
  return await format.read(text, { url: href })
}

function partsOf({ sections }: Page) {
  const blocks = sections.flatMap((section) => section.blocks)
  const headings = sections.flatMap(({ title, level, kind }) =>
    kind || level === 0 ? [] : [`${'#'.repeat(level)} ${title}`],
  )
  const code = blocks.flatMap(({ kind, markdown, language = '' }) =>
    kind === 'code' ? [[language, markdown.replace(/^[^\n]*\n|\n[^\n]*$/g, '')]] : [],
  )
  const grids = blocks.flatMap(({ kind, markdown }) =>
    kind === 'table' ? [markdown.split('\n')] : [],
  )
  const tables = grids.map((rows) => [rows.filter(isRow).length, columnsOf(rows[0] ?? '')])
  const text = blocks.map(({ markdown }) => markdown).join('\n\n')
  const prose = sections
    .flatMap(({ title, blocks }) => [
      title,
      ...blocks.flatMap(({ kind, markdown }) => (kind === 'code' ? [] : [markdown])),
    ])
    .join('\n\n')
  return { headings, code, rows: grids.flat(), tables, text, prose }
}

/** Not the line below the header, nor the header of a table that has none. */
function isRow(line: string): boolean {
  return /[^|\s:-]/.test(line)
}

function columnsOf(row: string): number {
  return row.replaceAll('\\|', '').split('|').length - 2
}

/** Markdown as its reader sees it, except for code. */
function plain(markdown: string): string {
  return markdown
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('*', '')
    .replace(/\s+/g, ' ')
    .replace(/ ?\| ?/g, '|')
}

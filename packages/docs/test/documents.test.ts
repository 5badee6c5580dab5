import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'
import { readReceived } from '../src/formats/page-format.ts'

/** What a person read in the source of a document. */
interface Truth {
  title: string
  /** `## Title`, without entries. */
  headings: string[]
  /** Titles of some entries. */
  entries?: string[]
  /** All of it, each with its language. */
  code: [language: string, text: string][]
  /** Rows of tables, as Markdown. */
  rows?: string[]
  texts?: string[]
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
  const { headings, code, rows, text } = partsOf(page)
  const entries = page.sections.filter(({ kind }) => kind === 'entry').map(({ title }) => title)
  expect(page.title).toBe(truth.title)
  expect(headings).toEqual(truth.headings)
  expect(code).toEqual(truth.code)
  expect(page.health.unread ?? []).toEqual(truth.unread ?? [])
  expect(entries).toEqual(expect.arrayContaining(truth.entries ?? []))
  expect(rows).toEqual(expect.arrayContaining(truth.rows ?? []))
  for (const part of truth.texts ?? []) expect(text).toContain(part)
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
  const rows = blocks.flatMap(({ kind, markdown }) =>
    kind === 'table' ? markdown.split('\n') : [],
  )
  return { headings, code, rows, text: blocks.map(({ markdown }) => markdown).join('\n\n') }
}

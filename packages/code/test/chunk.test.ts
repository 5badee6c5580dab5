import type { Chunk } from '@pith-mcp/code'
import { estimateTokens } from '@pith-mcp/paginator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodeFolder, codeFolder } from './code-folder.ts'
import { long, minified, source, template } from './long-function.ts'

let it: CodeFolder
beforeAll(async () => {
  it = await codeFolder({
    'src/long.js': source,
    'src/windows.js': source.replaceAll('\n', '\r\n'),
    'notes.xyz': 'one\ntwo\nthree\n'.repeat(500),
    'empty.js': '',
  })
})
afterAll(() => it.remove())

async function allPages(name: string, pageSize: number | string, file = 'src/long.js') {
  const pages: Chunk[] = []
  let pageToken: string | undefined
  do {
    const page = await it.code.functionChunk(file, name, {
      pageSize,
      ...(pageToken !== undefined && { pageToken }),
    })
    pages.push(page)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined && pages.length < 5000)
  return pages
}

describe('the pages of a function', () => {
  test.each([
    ['long', long],
    ['text', template],
    ['tiny', minified],
  ])('%s: are the function, byte for byte, whatever their size', async (name, text) => {
    const sizes = fc.oneof(
      fc.integer({ min: 50, max: 5000 }),
      fc.integer({ min: 1, max: 400 }).map((lines) => `${lines} lines`),
      fc.integer({ min: 200, max: 20_000 }).map((bytes) => `${bytes} bytes`),
    )
    await fc.assert(
      fc.asyncProperty(sizes, async (size) => {
        const pages = await allPages(name, size)
        expect(pages.map((page) => page.text).join('')).toBe(text)
        expect(pages.map(({ currentPage }) => currentPage)).toEqual(pages.map((_, at) => at + 1))
        for (const { totalPages } of pages) expect(totalPages).toBe(pages.length)
      }),
      { numRuns: 25 },
    )
  })

  test('keep their line ends', async () => {
    const pages = await allPages('long', 400, 'src/windows.js')
    expect(pages.map(({ text }) => text).join('')).toBe(long.replaceAll('\n', '\r\n'))
  })

  test('end between statements, with the comment of the next one on its page', async () => {
    for (const size of [300, 700, 1500]) {
      const pages = await allPages('long', size)
      expect(pages.length).toBeGreaterThan(2)
      for (const { text } of pages.slice(1))
        expect(text).toMatch(/^ {2}(?:\/\/ About|if)|^ {4}(?:\/\/ Why|value \+=)/)
    }
  })

  test('say where they are', async () => {
    const [first, second] = await allPages('long', 1000)
    expect(first).toMatchObject({
      id: 'src/long.js#long',
      isPartial: true,
      totalLines: 904,
      startLine: 1,
      fileStartLine: 5,
      currentPage: 1,
    })
    expect(second).toMatchObject({
      startLine: (first?.endLine ?? 0) + 1,
      fileStartLine: (first?.fileEndLine ?? 0) + 1,
      prevPageToken: expect.stringMatching(/^0\.\w{6}$/),
    })
  })

  test('a page of one line of code is cut between characters, none torn apart', async () => {
    const pages = await allPages('tiny', 100)
    expect(pages.length).toBeGreaterThan(50)
    for (const { text } of pages) expect(Buffer.from(text).toString()).toBe(text)
  })

  test('a page holds no more than was asked for', async () => {
    for (const { text } of await allPages('long', '40 lines'))
      expect(text.split('\n').length - 1).toBeLessThanOrEqual(40)
    for (const { text } of await allPages('long', '2 KB'))
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048)
  })

  test('repeat the signature and what is open', async () => {
    const page = await it.code.functionChunk('src/long.js', 'long', {
      startLine: 508,
      pageSize: 200,
    })
    const lines = source.split('\n')
    expect(page.crumbs[0]).toMatchObject({ line: 5, text: 'export function long(value) {' })
    for (const { line, text } of page.crumbs) expect(text).toBe(lines[line - 1])
    const open = page.crumbs.slice(1).map(({ text }) => text.trim())
    for (const text of open) expect(text).toMatch(/^(?:if \(|\} else \{)/)
  })

  test('the comment above comes with the first page, apart from the text', async () => {
    const page = await it.code.functionChunk('src/long.js', 'long', { pageSize: 500 })
    expect(page.leading).toEqual({ startLine: 3, text: '/** Says a lot.\n * In two lines. */' })
    expect(page.text.startsWith('export function')).toBe(true)
  })

  test('a page is within its budget, with all that stands around it', async () => {
    for (const pageSize of [500, 1000, 2000]) {
      const pages = await allPages('long', pageSize)
      for (const { text, crumbs, leading, parts } of pages) {
        const around = [...crumbs, ...(parts ?? [])].map((part) => Object.values(part).join(' '))
        const all = [text, leading?.text ?? '', ...around].join('\n')
        expect(estimateTokens(all)).toBeLessThanOrEqual(pageSize)
      }
    }
  })

  test('many pages are listed by what is in them', async () => {
    const page = await it.code.functionChunk('src/long.js', 'long', { pageSize: 400 })
    expect(page.totalPages).toBeGreaterThan(10)
    expect(page.parts?.length).toBeGreaterThan(0)
    expect(page.parts?.length).toBeLessThanOrEqual(40)
    const few = await it.code.functionChunk('src/long.js', 'long', { pageSize: 2000 })
    expect(few.parts).toBeUndefined()
    const oneLine = await it.code.functionChunk('src/long.js', 'tiny', { pageSize: 400 })
    expect(oneLine.totalPages).toBeGreaterThan(10)
    expect(oneLine.parts).toEqual([])
  })
})

describe('a chunk by its id', () => {
  test('is a function, with a token or without', async () => {
    const page = await it.code.chunk('src/long.js#long', { pageSize: 500 })
    expect(page).toMatchObject({ currentPage: 1, symbol: { path: 'long' } })
    const next = await it.code.chunk(`src/long.js#long@${page.nextPageToken}`, { pageSize: 500 })
    expect(next.currentPage).toBe(2)
  })

  test('is a file, also of no known language', async () => {
    const page = await it.code.chunk('notes.xyz', { pageSize: '10 lines' })
    expect(page).toMatchObject({
      id: 'notes.xyz',
      totalLines: 1500,
      endLine: 10,
      unparsed: 'its language is not supported',
    })
    const later = await it.code.chunk('notes.xyz', { pageSize: '10 lines', startLine: 1495 })
    expect(later).toMatchObject({ startLine: 1495, endLine: 1500, currentPage: 150 })
  })

  test('an empty file is an empty page', async () => {
    expect(await it.code.chunk('empty.js')).toMatchObject({
      text: '',
      totalLines: 0,
      isPartial: false,
    })
  })

  test('lines and sizes that are none are named', async () => {
    await expect(it.code.chunk('notes.xyz', { startLine: 1501 })).rejects.toMatchObject({
      message: 'Line 1501 is outside notes.xyz, which has 1500 lines.',
    })
    for (const pageSize of ['ten', '-5', '5 parsecs', Number.NaN])
      await expect(it.code.chunk('notes.xyz', { pageSize })).rejects.toMatchObject({
        code: 'bad_argument',
      })
  })
})

test('up to some lines and bytes, a function is given whole', async () => {
  const whole = await codeFolder({ 'a.js': source }, { pagingThreshold: '1000 lines, 40000 bytes' })
  expect(await whole.code.functionChunk('a.js', 'long')).toMatchObject({ totalPages: 1 })
  expect((await whole.code.functionChunk('a.js', 'tiny')).totalPages).toBeGreaterThan(1)
  await whole.remove()
})

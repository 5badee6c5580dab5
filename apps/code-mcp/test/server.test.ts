import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { type Code, createCode } from '@pith-mcp/code'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { createServer } from '../src/server.ts'
import { allTools } from '../src/tools/all-tools.ts'

const body = Array.from({ length: 3000 }, (_, at) => `  total += weigh(${at}, 'é😀')\n`).join('')
const source = `/** Adds. */\nexport function sum(total: number) {\n${body}  return total\n}\n\nexport class Box {\n  open() {}\n  close() {}\n}\n\nexport class Lid {\n  open() {}\n}\n`

const folder = temporaryFolder()
let code: Code
let client: Client
const failures: unknown[] = []

beforeAll(async () => {
  await writeFile(join(folder, 'sum.ts'), source)
  await writeFile(join(folder, 'fence.js'), 'function fence() {\n  return `\n```js\n````\n`\n}\n')
  code = await createCode({ roots: [folder] })
  client = await connected()
})

afterAll(async () => {
  expect(failures).toEqual([])
  await client.close()
  await code.close()
})

async function connected(options: { locale?: 'en' | 'ja'; structuredContent?: boolean } = {}) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createServer({
    openCode: async () => code,
    onError: (error) => failures.push(error),
    ...options,
  })
  const made = new Client({ name: 'test', version: '0' })
  await Promise.all([server.connect(far), made.connect(near)])
  return made
}

async function call(name: string, args: Record<string, unknown>, by = client) {
  const result = await by.callTool({ name, arguments: args })
  const [content] = result.content
  return {
    text: content?.type === 'text' ? content.text : '',
    isError: result.isError === true,
    figures: result._meta?.['io.github.pith-mcp/answer'] as Record<string, unknown>,
    structured: result.structuredContent,
  }
}

const codeIn = (reply: string): string => /^(`{3,})\w*\n([\s\S]*?)\n?^\1$/m.exec(reply)?.[2] ?? ''

describe('what a client is told', () => {
  test('five tools, all of them read-only, for few tokens', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'find_function',
      'find_references',
      'list_functions_in_file',
      'get_chunk',
      'find_file',
    ])
    for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBe(true)
    expect(countTokens(JSON.stringify(tools))).toBeLessThan(620)
    expect(JSON.stringify(tools)).not.toContain('$schema')
  })

  test('what each tool is for, and when another one is better', () => {
    const instructions = client.getInstructions() ?? ''
    for (const { name } of allTools) expect(instructions).toContain(name)
    expect(instructions).toContain('a file that you have open needs neither')
    expect(instructions).toContain('Where a language server runs, it is better')
    expect(countTokens(instructions)).toBeLessThan(250)
  })
})

describe('a function', () => {
  test('comes page by page, by tokens out of the first line', async () => {
    let reply = await call('get_chunk', { chunk_id: 'sum.ts#sum' })
    expect(reply.text).toMatch(
      /^\[sum page 1\/\d+ lines 1-\d+\/3003 next \d+\.\w{6}\]\nsum\.ts:2-\d+ · function · ~[\d,]+ tokens in total\nabove it:\n {4}1│\/\*\* Adds\. \*\/\n```typescript\n/,
    )
    expect(reply.text).toMatch(
      /\n\[next: get_chunk\(chunk_id="sum\.ts#sum", page_token="\d+\.\w{6}"\)\]$/,
    )
    let all = codeIn(reply.text)
    for (let next = nextOf(reply.text); next !== undefined; next = nextOf(reply.text)) {
      reply = await call('get_chunk', {
        chunk_id: 'sum.ts#sum',
        page_token: next,
      })
      expect(countTokens(reply.text.split('\n')[0] as string)).toBeLessThanOrEqual(45)
      expect(reply.text).toContain(
        'repeated from above:\n    2│export function sum(total: number) {\n    ⋮\n',
      )
      const hasNext = nextOf(reply.text) !== undefined
      expect(/\n\[next: get_chunk\(.*page_token="[\d.\w]+"\)\]$/.test(reply.text)).toBe(hasNext)
      all += `\n${codeIn(reply.text)}`
    }
    expect(all).toBe(
      source.slice(source.indexOf('export function'), source.indexOf('\n\nexport class')),
    )
    expect(reply.text).toMatch(/^\[sum page (\d+)\/\1 lines \d+-3003\/3003 end prev \d+\.\w{6}\]/)
  })

  test('has its figures beside the text, and as structured content only if asked for', async () => {
    const args = { chunk_id: 'sum.ts#sum' }
    const plain = await call('get_chunk', args)
    expect(plain.figures).toMatchObject({
      id: 'sum.ts#sum',
      isPartial: true,
      totalLines: 3003,
      startLine: 1,
      currentPage: 1,
      nextPageToken: expect.any(String),
    })
    expect(plain.figures).not.toHaveProperty('text')
    expect(plain.structured).toBeUndefined()
    const requested = await connected({ structuredContent: true })
    expect((await call('get_chunk', args, requested)).structured).toEqual(plain.figures)
    await requested.close()
  })

  test('says where it is in Japanese, if wanted', async () => {
    const japanese = await connected({ locale: 'ja' })
    const { text } = await call('get_chunk', { chunk_id: 'sum.ts#sum' }, japanese)
    expect(text).toMatch(/^\[sum ページ1\/\d+ 3003行中1-\d+ 次 \d+\.\w{6}\]/)
    expect(text).toMatch(/\n\[次: get_chunk\(.*\)\]$/)
    const later = await call('get_chunk', { chunk_id: 'sum.ts#sum', start_line: 500 }, japanese)
    const around = `${text}\n${later.text}`.replace(/```[\s\S]*?```|^ .*$/gm, '')
    for (const line of around.split('\n').filter((line) => /[a-z]{3} [a-z]{2}/.test(line)))
      expect(line).toMatch(/\w+\(/)
    await japanese.close()
  })

  test('whose code has fences is in a longer one', async () => {
    const { text } = await call('get_chunk', { chunk_id: 'fence.js#fence' })
    expect(codeIn(text)).toBe('function fence() {\n  return `\n```js\n````\n`\n}')
  })

  test('of the largest page stays below what clients take', async () => {
    const { text } = await call('get_chunk', {
      chunk_id: 'sum.ts#sum',
      page_size: 1_000_000,
    })
    expect(countTokens(text)).toBeGreaterThan(15_000)
    expect(countTokens(text)).toBeLessThan(22_500)
  })

  test('takes numbers as text, and null for what is left out', async () => {
    const { text } = await call('get_chunk', {
      chunk_id: 'sum.ts#sum',
      start_line: '2990',
      page_token: null,
      page_size: '20 lines',
    })
    expect(text).toMatch(/lines 2990-3003\/3003 end/)
  })
})

describe('what cannot be answered says what to call', () => {
  test.each([
    [
      'get_chunk',
      { chunk_id: 'sum.ts#sum', startRow: 9 },
      /There is no parameter "startRow"\. The parameters are chunk_id, page_token,/,
    ],
    [
      'get_chunk',
      { chunk_id: 'sum.ts#sum', start_line: 'abc', page_size: [] },
      /page_size must be a number or a string, got \[\]\. start_line must be a number, got "abc"\./,
    ],
    ['get_chunk', {}, /chunk_id is required and must be a string\./],
    [
      'get_chunk',
      { chunk_id: 'sum.ts#open' },
      /matches 2 symbols of sum\.ts:\n- Box\/open \(method.*\n- Lid\/open/,
    ],
    [
      'get_chunk',
      { chunk_id: 'sum.ts#sums' },
      /no symbol "sums"\. Similar names: sum.*\n\[next: list_functions_in_file\(file_path="sum\.ts", query="sums"\)\]/,
    ],
    [
      'get_chunk',
      { chunk_id: 'sun.ts#sum' },
      /There is no file "sun\.ts".*\n\[next: find_file\(pattern="sun\.ts"\)\]/,
    ],
    ['get_chunk', { chunk_id: '/etc/passwd' }, /outside the folders that may be read/],
    [
      'get_chunk',
      { chunk_id: 'sum.ts#sum', page_token: '4000.aaaaaa' },
      /The page token .* does not fit the text of .*has changed since \(content_changed\)\. Begin again at the first page, without a token, or about where the page was, at line \d+\.\n\[next: get_chunk\(chunk_id="sum\.ts#sum", start_line=\d+\)\]/,
    ],
    ['get_chunk', { chunk_id: 'sum.ts#sum', page_size: 'big' }, /"big" is not a valid page size/],
    ['find_function', { query: '' }, /query is empty/],
  ])('%s %j', async (name, args, expected) => {
    const { text, isError } = await call(name, args)
    expect(isError).toBe(true)
    expect(text).toMatch(expected)
  })
})

describe('lists', () => {
  test('of a file, with name paths below one another', async () => {
    const { text } = await call('list_functions_in_file', { file_path: 'sum.ts' })
    const lines = text.split('\n')
    expect(lines[0]).toBe('sum.ts · typescript · 3,013 lines · 6 symbols')
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^sum · function · 2–3004 · [\d,]+$/),
      expect.stringMatching(/^Box · class · 3006–3009 · \d+$/),
      expect.stringMatching(/^ {2}\/open · method · 3007 · \d+$/),
      expect.stringMatching(/^ {2}\/close · method · 3008 · \d+$/),
      expect.stringMatching(/^Lid · class · 3011–3013 · \d+$/),
      expect.stringMatching(/^ {2}\/open · method · 3012 · \d+$/),
    ])
  })

  test('of many symbols leave out what is inside others, and say how to see it', async () => {
    const classes = Array.from(
      { length: 400 },
      (_, at) => `class LongNameOfClassNumber${at} {\n  one() {}\n  two() {}\n}\n`,
    )
    await writeFile(join(folder, 'many.js'), classes.join(''))
    const first = await call('list_functions_in_file', { file_path: 'many.js' })
    expect(countTokens(first.text)).toBeLessThan(5_000)
    expect(first.text).toContain('LongNameOfClassNumber0 · class · 1–4 · ')
    expect(first.text).toMatch(/· \d+ \+2\n/)
    expect(first.text).toContain(
      '[800 nested symbols omitted, counted as +n; next: list_functions_in_file(file_path="many.js", query="LongNameOfClassNumber0/")]',
    )
    const names = new Set<string>()
    let { text } = first
    for (let pages = 0; pages < 5; pages++) {
      for (const [name] of text.matchAll(/^LongName\w+/gm)) names.add(name)
      const token = /page_token="([^"]+)"/.exec(text)?.[1]
      if (token === undefined) break
      text = (await call('list_functions_in_file', { file_path: 'many.js', page_token: token }))
        .text
    }
    expect(names.size).toBe(400)
    const wrong = await call('list_functions_in_file', {
      file_path: 'many.js',
      page_token: '7.zzzzzz',
    })
    expect(wrong).toMatchObject({
      isError: true,
      text: expect.stringContaining('Leave out page_token'),
    })
  })

  test('of what was found have ids that are read as they stand', async () => {
    const { text } = await call('find_function', { query: 'Box close' })
    expect(text).toMatch(/\nsum\.ts#Box\/close · method · 3008\n {4}close\(\)\n/)
    const { text: chunk } = await call('get_chunk', { chunk_id: 'sum.ts#Box/close' })
    expect(codeIn(chunk)).toBe('  close() {}')
    expect((await call('find_file', { pattern: 'fence' })).text).toBe('fence.js')
  })
})

test('a file that has just been changed is never answered from memory', async () => {
  const path = join(folder, 'sum.ts')
  await writeFile(path, source.replace('total += weigh(0,', 'total -= weigh(0,'))
  const { text } = await call('get_chunk', { chunk_id: 'sum.ts#sum' })
  expect(text).toContain('total -= weigh(0,')
  await writeFile(path, source)
  expect(await readFile(path, 'utf8')).toBe(source)
})

const nextOf = (text: string): string | undefined => /^\[[^\n]* next ([\w.]+)/.exec(text)?.[1]

describe('a class of many members', () => {
  test('is listed whole, in pages', async () => {
    const methods = Array.from({ length: 501 }, (_, at) => `  method_${at}(a: number) {}\n`)
    await writeFile(join(folder, 'wide.ts'), `export class Wide {\n${methods.join('')}}\n`)
    const seen = new Set<string>()
    let args: Record<string, unknown> = { file_path: 'wide.ts', query: 'Wide/' }
    for (let page = 0; page < 20; page++) {
      const { text, figures } = await call('list_functions_in_file', args)
      for (const [name] of text.matchAll(/method_\d+/g)) seen.add(name)
      if (figures['nextPageToken'] === undefined) break
      args = { ...args, page_token: figures['nextPageToken'] }
    }
    expect(seen.size).toBe(501)
    const { text } = await call('list_functions_in_file', { file_path: 'wide.ts' })
    expect(text).toContain('query="Wide/"')
  })
})

test('parameters are understood as other servers call them', async () => {
  const first = await call('get_chunk', {
    chunkId: 'sum.ts#sum',
    pageSize: 500,
  })
  expect(first.isError).toBe(false)
  const { nextPageToken } = first.figures as { nextPageToken: string }
  const next = await call('get_chunk', {
    chunk_id: 'sum.ts#sum',
    pageToken: nextPageToken,
    pageSize: 500,
  })
  expect(next.isError).toBe(false)
  expect(next.text).not.toBe(first.text)
  const wrong = await call('get_chunk', { chunk_id: 'sum.ts', pagesSize: 5 })
  expect(wrong.text).toMatch(/There is no parameter "pagesSize"/)
})

describe('a search says', () => {
  test.each([
    ['openLid', /^No name is "openLid"; with a part of it: \d+ of \d+ matches, best first\n/],
    ['Bo', /^No name is "Bo"; names that contain it: /],
    ['Box', /^(?:\d+ of \d+ matches|1 match) for "Box", best first\n/],
    ['Box nowhere', /^No name has all words of "Box nowhere"; with some of them: /],
    [
      'nowhere',
      /^No function or class name contains a word of "nowhere", in \d source files searched\./,
    ],
  ])('what %s is to the names', async (query, expected) => {
    expect((await call('find_function', { query })).text).toMatch(expected)
  })

  test('what it did not search, and why', async () => {
    await writeFile(join(folder, 'blob.c'), 'int inBlob(void) { return "\0"[0]; }\n')
    await writeFile(join(folder, '.gitignore'), 'left_out.c\n')
    await writeFile(join(folder, 'left_out.c'), 'int inBlob(void) { return 1; }\n')
    const { text, figures } = await call('find_function', { query: 'inBlob' })
    expect(text.split('\n')).toEqual([
      '[not searched: 1 file with words of the query not parsed: it is binary, or not a file (blob.c)]',
      expect.stringMatching(
        /contains a word of "inBlob", in the \d+ source files searched \(1 file or folder excluded by \.gitignore, or as dependencies or secrets\)\.$/,
      ),
    ])
    expect((await call('find_file', { pattern: 'left_out' })).text).toMatch(
      /^No file matches "left_out", of \d+ files searched \(1 file or folder excluded by \.gitignore/,
    )
    expect(figures).toMatchObject({ ignored: 1, unparsed: [{ files: 1, example: 'blob.c' }] })
    for (const name of ['blob.c', '.gitignore', 'left_out.c']) await rm(join(folder, name))
  })
})

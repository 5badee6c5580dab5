import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { type Code, createCode } from '@pith-mcp/code'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { codeFolder } from '../../../packages/code/test/code-folder.ts'
import { type Call, callIn, unproved } from '../../../test/lever-phrases.ts'
import { ask as askCommand } from '../src/cli/ask.ts'
import { usage } from '../src/cli/usage.ts'
import { parseConfig, type Question } from '../src/config.ts'
import { renderFound } from '../src/render/render-found.ts'
import { createServer } from '../src/server.ts'

const times = (length: number, text: (at: number) => string): string =>
  Array.from({ length }, (_, at) => text(at)).join('')

const files: Readonly<Record<string, string>> = {
  'sum.ts': `export function sum(total: number) {\n${times(1_500, (at) => `  total += weigh(${at})\n`)}  return total\n}\n\nexport function other(total: number) {\n${times(1_500, (at) => `  total -= weigh(${at})\n`)}  return total\n}\n`,
  'twins.js': 'class Box {\n  open() {}\n}\nclass Lid {\n  open() {}\n}\n',
  'parts.js': times(60, (at) => `function weighPart${at}() {\n  return ${at}\n}\n`),
  'nested.js': times(120, (at) => `class Holder${at} {\n  one() {}\n  two() {}\n}\n`),
  'outer.js': `function outer() {\n${times(200, (at) => `  function inner${at}() {\n${times(30, (line) => `    weigh(${at}, ${line})\n`)}  }\n`)}}\n`,
  'long.js': times(400, (at) => `function aFunctionWithAVeryLongName${at}() {}\n`),
  'many.js': times(5_200, (at) => `function memberOf_${at}() {}\n`),
  ...Object.fromEntries(
    Array.from({ length: 70 }, (_, at) => [
      `users${at}.js`,
      `function sameName() {}\nfunction first${at}() {\n  shared()\n}\nfunction second${at}() {\n  shared()\n}\n`,
    ]),
  ),
  'broken.xyz': 'no known language\n',
  // A command in the code is not a line of ours.
  'says.js': 'function says() {\n  // use `path` or get_chunk(chunk_id="a")\n  return 1\n}\n',
}

const folder = temporaryFolder()
let code: Code
let client: Client

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await mkdir(join(folder, 'many'))
  for (let at = 0; at < 120; at++) await writeFile(join(folder, 'many', `item-${at}.txt`), 'x')
  code = await createCode({ roots: [folder] })
  const [near, far] = InMemoryTransport.createLinkedPair()
  client = new Client({ name: 'test', version: '0' })
  await Promise.all([
    createServer({ openCode: async () => code }).connect(far),
    client.connect(near),
  ])
})

afterAll(async () => {
  await client.close()
  await code.close()
})

async function ask(...[name, args]: Call) {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const [first] = content
  return { text: first?.type === 'text' ? first.text : '', isError }
}

interface Lever {
  /** The text in the source. */
  source: string
  call: Call
  /** The line of the reply. */
  says: RegExp
  /** Follows the line; by default with the call in it. */
  follow?: (line: string, call: Call) => Call
}

const change =
  (name: string, value: unknown): Required<Lever>['follow'] =>
  (_line, [tool, args]) => [tool, { ...args, [name]: value }]

const sum: Call = ['get_chunk', { chunk_id: 'sum.ts#sum' }]

// biome-ignore format: a table has one line for each row.
const more: readonly Lever[] = [
  { source: 'Use another word, or find_file', call: ['find_function', { query: 'item' }], says: /Use another word, or find_file/, follow: () => ['find_file', { pattern: 'item' }] },
  { source: 'Pass a part of its name', call: ['find_file', { pattern: 'twins.py' }], says: /Pass a part of its name/, follow: change('pattern', 'twin') },
  { source: 'page_token: token } })', call: ['list_functions_in_file', { file_path: 'long.js' }], says: /^\[next: list_functions.*/m },
  { source: "'raise max_results'", call: ['find_function', { query: 'weigh part' }], says: /20 of 60 matches.*; raise max_results for others/, follow: change('max_results', 50) },
  { source: 'narrow it with `path`', call: ['find_function', { query: 'weigh part', max_results: 50 }], says: /50 of 60 matches.*; narrow it with `path` for others/, follow: (_line, [tool]) => [tool, { query: 'box', path: 'twins.js' }] },
  { source: "tool: 'get_chunk', args: { chunk_id: best.id }", call: ['find_function', { query: 'weigh part' }], says: /^\[next: get_chunk.*/m },
  { source: 'use a longer pattern', call: ['find_file', { pattern: 'item' }], says: /\[\d+ more; use a longer pattern to narrow the result\]/, follow: change('pattern', 'item-99') },
  { source: 'omitted, counted as +n; next:', call: ['list_functions_in_file', { file_path: 'nested.js' }], says: /^\[\d+ nested symbols omitted.*/m },
  { source: 'add words of the name', call: ['list_functions_in_file', { file_path: 'many.js', query: 'member' }], says: /^\[200 more symbols not compared, .*; add words of the name to reach them\]$/m, follow: change('query', 'member 5199') },
  { source: 'with the name in any spelling; next:', call: ['find_references', { name: 'shared' }], says: /^\[files 1–64 of 70 with the name in any spelling; next: .*/m },
  { source: 'more definitions: ', call: ['find_references', { name: 'sameName' }], says: /^\[65 more definitions: .*/m },
  { source: "args: { name: query } })", call: ['find_references', { name: 'shared', kind: 'implementations', path: 'users1.js' }], says: /^2 symbols with other uses: find_references.*/m },
  { source: "tool: 'get_chunk', args: { chunk_id: file }", call: ['list_functions_in_file', { file_path: 'broken.xyz' }], says: /^\[next: get_chunk.*/m },
  { source: "args: { file_path: file } })", call: ['list_functions_in_file', { file_path: 'twins.js', query: 'zebra' }], says: /^\[next: list_functions.*/m },
  { source: 'callText(callFor({ start_line: line', call: ['get_chunk', { chunk_id: 'outer.js#outer' }], says: /; to jump to one, call .*/ },
  { source: 'callText(callFor({ page_token', call: sum, says: /^\[next: get_chunk.*/m },
  { source: 'next ? `\\n[next: ${callText(next)', call: ['get_chunk', { chunk_id: 'twins.js#opens' }], says: /^\[next: list_functions.*/m },
]

// biome-ignore format: a table has one line for each row.
const errors: readonly Lever[] = [
  { source: 'Pass one of these name paths', call: ['get_chunk', { chunk_id: 'twins.js#open' }], says: /- Lid\/open/, follow: (line, [tool]) => [tool, { chunk_id: `twins.js#${line.slice(2)}` }] },
  { source: 'Pass a page token exactly as in the reply', call: ['get_chunk', { ...sum[1], page_token: 'x' }], says: /in the reply: [\w.]+/, follow: (line) => ['get_chunk', { ...sum[1], page_token: line.slice(14) }] },
  { source: 'Pass a line from 1 to', call: ['get_chunk', { ...sum[1], start_line: 1e6 }], says: /from 1 to \d+/, follow: (line) => ['get_chunk', { ...sum[1], start_line: Number(line.slice(10)) }] },
  { source: 'Pass a number, "300 lines"', call: ['get_chunk', { ...sum[1], page_size: 'big' }], says: /"300 lines"/, follow: change('page_size', '300 lines') },
  { source: 'Pass one of them', call: ['get_chunk', { ...sum[1], page_token: '0.aaaaaa', start_line: 9 }], says: /Pass one of them/, follow: () => ['get_chunk', { ...sum[1], start_line: 9 }] },
  { source: 'Pass a name, or words of a name', call: ['find_function', { query: ' ' }], says: /Pass a name, or words/, follow: change('query', 'box') },
  { source: 'Pass a glob or a part of a name', call: ['find_file', { pattern: ' ' }], says: /Pass a glob/, follow: change('pattern', 'twins') },
  { source: 'Pass a path below', call: ['get_chunk', { chunk_id: '/etc/passwd' }], says: /Pass a path below/, follow: () => ['get_chunk', { chunk_id: 'twins.js' }] },
  { source: 'Leave out page_token', call: ['list_functions_in_file', { file_path: 'parts.js', page_token: '7.zzzzzz' }], says: /Leave out page_token/, follow: () => ['list_functions_in_file', { file_path: 'parts.js' }] },
]

async function follow({ call, says, follow: next = callIn }: Lever) {
  const before = await ask(...call)
  expect(before.text).toMatch(says)
  const [line = ''] = says.exec(before.text) ?? []
  return [before, await ask(...next(line, call))] as const
}

test.each(more)('$says gets lines that were not there', async (lever) => {
  const [before, after] = await follow(lever)
  expect(after).toMatchObject({ isError: false })
  const seen = new Set(before.text.split('\n'))
  expect(after.text.split('\n').filter((line) => !seen.has(line))).not.toEqual([])
})

test.each(errors)('$says ends the error', async (lever) => {
  const [before, after] = await follow(lever)
  expect(before.isError).toBe(true)
  expect(after).toMatchObject({ isError: false })
})

test('a search that took too long ends in a part of the folders', async () => {
  const slow = await createCode({ roots: [folder], searchWaitMs: -1 })
  // Files are remembered by the words that were looked for in them.
  const query = 'weighPart31'
  const whole = await slow.findFunctions(query)
  expect(renderFound(whole, query, 'en').text).toMatch(
    / not read in time; repeat the call to continue, or narrow it with `path`/,
  )
  expect((await slow.findFunctions(query, { path: 'parts.js' })).hits).toHaveLength(1)
  await slow.close()
})

test('a description is compared with the files that were not indexed yet when it is repeated', async () => {
  const clock = Date.now
  const later = () => vi.spyOn(Date, 'now').mockImplementation(() => clock() + 60_000)
  const cacheFolder = temporaryFolder(onTestFinished)
  const old = { 'a.js': '/** Boils the water. */\nfunction heat() {}\n' }
  const { code: indexed, write, remove } = await codeFolder(old, { cacheFolder })
  const search = async (): Promise<string> =>
    renderFound(await indexed.findFunctions('boil some water'), 'boil some water', 'en').text
  later()
  await indexed.index()
  vi.restoreAllMocks()
  // What has just been written may change again, and is not indexed.
  await write('b.js', '/** Boils the water. */\nfunction boilWater() {}\n')
  const first = await search()
  expect(first).toContain('[1 file not indexed yet; repeat the call to compare them]')
  expect(first).not.toContain('boilWater')
  later()
  const second = await search()
  vi.restoreAllMocks()
  expect(second).toContain('b.js#boilWater')
  expect(second).not.toContain('not indexed yet')
  await remove()
})

test('a page token of another function is not said to be outdated only', async () => {
  const [, token] = /next ([\w.]+)/.exec((await ask(...sum)).text) ?? []
  const args = { chunk_id: 'sum.ts#other', page_token: token }
  const { text, isError } = await ask('get_chunk', args)
  expect(isError).toBe(true)
  expect(text).toContain('it is mistyped or of another function, or the text before its page')
  const again = await ask(...callIn(text))
  expect(again).toMatchObject({
    isError: false,
    text: expect.stringContaining('total -= weigh('),
  })
})

async function run(...words: string[]): Promise<string> {
  const config = parseConfig([...words, '--root', folder, '--no-cache'], {})
  return (await askCommand(config.command as Question, config)).text
}

describe('a command', () => {
  test.each([
    ['find', 'weighPart7'],
    ['show', 'sum.ts', 'sum'],
    ['show', 'sum.ts'],
    ['list', 'nested.js'],
    ['list', 'twins.js', 'zebra'],
    ['references', 'shared'],
    ['references', 'sameName'],
  ])('%s %s names commands and flags', async (...words) => {
    const notes = (await run(...words))
      .split('\n')
      .filter((line) => /^\[next|next: |to jump|^\[\d+ (?:other|more) .*: /.test(line))
    expect(notes.join('\n')).not.toMatch(/\w+_\w+\(/)
    for (const note of notes) {
      const [, command, flags] = /code-mcp ([^\]:]+)|(--page \S+?)\]/.exec(note) ?? []
      const next = command?.split(' ') ?? [...words, ...(flags?.split(' ') ?? [])]
      expect(await run(...next)).not.toBe('')
    }
  })

  test('raises its flag', async () => {
    expect(await run('find', 'weigh part')).toContain(
      '20 of 60 matches for "weigh part", best first; raise --max-results',
    )
    expect(await run('find', 'weigh part', '--max-results', '50')).toContain(
      'narrow it with --path',
    )
  })

  test('with --compat says which flags it has instead', async () => {
    await expect(run('show', 'sum.ts', 'sum', '--compat', 'paging')).rejects.toThrow(
      'Use --page-size, --page and --locale here.',
    )
    expect(
      await run('show', 'sum.ts', 'sum', '--page-size', '9 lines', '--locale', 'ja'),
    ).toContain('1503行中1-9')
  })

  test('leaves the code as it is', async () => {
    const [, body] = /```\w*\n([\s\S]*?)```/.exec(await run('show', 'says.js', 'says')) ?? []
    expect(body).toBe(files['says.js'])
  })

  test('whose token is wrong says so with its flag', async () => {
    await expect(run('list', 'parts.js', '--page', '7.zzzzzz')).rejects.toMatchObject({
      remedy: 'Leave out --page to begin at the first page.',
    })
    await expect(run('show', 'sum.ts', 'sum', '--page', '400.aaaaaa')).rejects.toMatchObject({
      remedy: expect.stringContaining('code-mcp show sum.ts#sum'),
    })
  })
})

test('a flag that switches something off says what it does', () => {
  const lines = usage.split('\n').filter((line) => line.includes('--no-'))
  for (const line of lines) expect(line).toMatch(/--no-\S+ +\S/)
  // What only experts use is in the reference.
  expect(usage).not.toContain('--no-always-load')
})

/** Texts that other tests follow, or that need what a test cannot have. */
const elsewhere = [
  // The skill of a client.
  'Read source code by the function instead',
  'repeat the call to continue',
  'not indexed yet; repeat the call',
  // find.test.ts.
  'code-mcp index adds them',
  // built: command-lines.test.ts.
  '; pass the folder of your source',
  // 50,000 files.
  'too many files: the folders were searched in part; use',
  'Pass a simpler glob, or a part of a name.',
  // Those of the matches: above.
  '${lever} for others',
  // The folders when the server starts: roots and config tests.
  'Pass a folder of source files',
  'Pass a shorter value',
  // Commands: below.
  'Use --page-size, --page and --locale here.',
  'callText(next)}` :',
  // The console of a project: config.test.ts.
  // The tools of --compat: compat.test.ts.
  'Pass the page token alone, or leave it out.',
  'or pass what it is of, too.',
  'args: { ...args, startLine }',
  'or the pageToken of a reply alone',
  'or copy the whole token of the reply',
]

test('every text that tells what to do has a row', () => {
  const folders = ['../src/', '../../../packages/code/src/'].map(
    (path) => new URL(path, import.meta.url).pathname,
  )
  const texts = [...[...more, ...errors].map(({ source }) => source), ...elsewhere]
  expect(unproved(folders, texts)).toEqual({ lines: [], texts: [] })
})

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { type CodeFolder, codeFolder } from '../../../packages/code/test/code-folder.ts'
import { ask } from '../src/cli/ask.ts'
import { indexFolders } from '../src/cli/index-folders.ts'
import { parseConfig, type Question } from '../src/config.ts'
import { gapNotes } from '../src/render/render-found.ts'
import { renderReferences } from '../src/render/render-references.ts'
import { createServer } from '../src/server.ts'

const files = {
  'src/pot.ts':
    'export const LIMIT = 3\n\n/** Warms the water until it boils. */\nexport function heatWater(degrees: number) {\n  return degrees + LIMIT\n}\n\nexport class Pot {\n  fill() {\n    return heatWater(1)\n  }\n}\n',
  'src/make-pot.ts':
    "import { Pot } from './pot.ts'\n\nexport class Kettle extends Pot {}\n\nexport function pot() {\n  return new Pot().fill()\n}\n",
  'src/lids.ts': 'export class Lid {}\n',
  'src/lid.py': 'def Lid():\n    pass\n',
  'test/pot.test.ts':
    "import { heatWater } from '../src/pot.ts'\n\ntest('heats', () => {\n  heatWater(2)\n})\n",
}

const heatWater = 'export function heatWater(degrees: number) {\n  return degrees + LIMIT\n}'

const cacheFolder = temporaryFolder()
let kitchen: CodeFolder
const clients = new Map<string, Client>()

beforeAll(async () => {
  kitchen = await codeFolder(files, { cacheFolder })
  // What has just been written may change again, and is not indexed.
  const clock = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => clock() + 60_000)
  await kitchen.code.index()
  for (const [era, Made] of [
    ['v1', FirstClient],
    ['v2', Client],
  ] as const) {
    const client = new Made({ name: 'test', version: '0' }) as Client
    const [near, far] = InMemoryTransport.createLinkedPair()
    const server = createServer({ openCode: async () => kitchen.code })
    await Promise.all([server.connect(far), client.connect(near as never)])
    clients.set(era, client)
  }
})
afterAll(async () => {
  vi.restoreAllMocks()
  for (const client of clients.values()) await client.close()
  await kitchen.remove()
})

async function call(name: string, args: Record<string, unknown>, era = 'v2'): Promise<string> {
  const { content } = await (clients.get(era) as Client).callTool({ name, arguments: args })
  return (content as { text: string }[])[0]?.text ?? ''
}

describe.each(['v1', 'v2'])('a client of %s', (era) => {
  test('gets the definition of a name, what uses it, and tests apart', async () => {
    expect((await call('find_references', { name: 'heatWater' }, era)).split('\n')).toEqual([
      'defined: src/pot.ts#heatWater · function · 4–6',
      'called in:',
      '  src/pot.ts: Pot/fill 10',
      'tests:',
      '  test/pot.test.ts: 4',
      'imported in 1 file',
    ])
  })

  test('gets no "No" of what was not searched', async () => {
    const outside = await call('find_references', { name: 'heatWater', path: 'src/lids.ts' }, era)
    expect(outside).toMatch(
      /^defined: .*\nNo use of "heatWater": .* nowhere in the source files of "src\/lids\.ts"\.$/,
    )
    const nowhere = await call('find_references', { name: 'nobody' }, era)
    expect(nowhere).toMatch(
      /^"nobody" is nowhere in \d+ source files searched; other files, .* rg -nwF -- 'nobody'\.$/,
    )
    const ofKind = { name: 'heatWater', kind: 'implementations' }
    expect(await call('find_references', ofKind, era)).toMatch(
      /No use of "heatWater" is one that extends or implements it, in .*\n2 symbols with other uses: find_references/,
    )
    const calls = await call('find_references', { name: 'heatWater', kind: 'calls' }, era)
    expect(calls).toMatch(/^\[all uses: .*\n[\s\S]*called in:\n {2}src\/pot\.ts: Pot\/fill 10/)
  })

  test('gets only implementations, or the uses in a folder', async () => {
    const implementations = { name: 'Pot', kind: 'implementations' }
    const text = await call('find_references', implementations, era)
    expect(text).toContain('extended or implemented by:\n  src/make-pot.ts: Kettle 3')
    expect(text).not.toContain('used in')
    const inTests = await call('find_references', { name: 'heatWater', path: 'test' }, era)
    expect(inTests).toContain('tests:\n  test/pot.test.ts: 4')
    expect(inTests).not.toContain('Pot/fill')
  })
})

describe('find_function', () => {
  test('returns the code of the only symbol that has the name', async () => {
    const text = await call('find_function', { query: 'heatWater' })
    expect(text).toMatch(/^1 match .*\nsrc\/pot\.ts#heatWater · 4-6 · function\n/)
    expect(text).toContain(`\n\`\`\`typescript\n${heatWater}\n\`\`\``)
    expect(text).not.toContain('[next:')
  })

  test.each([
    ['Pot', 'src/pot.ts#Pot'],
    ['pot', 'src/make-pot.ts#pot'],
    ['Lid', 'src/lids.ts#Lid'],
    ['class Lid', 'src/lids.ts#Lid'],
    ['def Lid', 'src/lid.py#Lid'],
    ['const LIMIT', 'src/pot.ts#LIMIT'],
  ])('puts what %s is first', async (query, id) => {
    const [first] = /^src\/[\w.-]+#\w+/m.exec(await call('find_function', { query })) ?? []
    expect(first).toBe(id)
  })

  test('returns no code for names that contain a part', async () => {
    const text = await call('find_function', { query: '*water*' })
    expect(text.split('\n')).toEqual([
      '1 match for "*water*", best first',
      'src/pot.ts#heatWater · function · 4–6',
      '    export function heatWater(degrees: number)',
      '[next: get_chunk(chunk_id="src/pot.ts#heatWater")]',
    ])
  })

  test('finds what words describe, with its code', async () => {
    const text = await call('find_function', { query: 'until the water boils' })
    expect(text).toMatch(
      /^Described by "until the water boils", best first\nsrc\/pot\.ts#heatWater · /,
    )
    expect(text).toContain(heatWater)
    expect(text).not.toMatch(/^\s*$/m)
  })
})

async function run(...words: string[]): Promise<string> {
  const config = parseConfig([...words, '--root', kitchen.folder], {})
  return (await ask(config.command as Question, config)).text
}

test('references is a command', async () => {
  const text = await run('references', 'heatWater', '--kind', 'tests', '--no-cache')
  expect(text).toContain('defined: src/pot.ts#heatWater')
  expect(text).toContain('tests:\n  test/pot.test.ts: 4')
  expect(text).not.toContain('Pot/fill')
  await expect(run('references', '--no-cache')).rejects.toThrow('references requires a name.')
  expect(() => parseConfig(['references', 'a', '--kind', 'all'], {})).toThrow('--kind must be')
})

test('index is a command that fills the index, says how far it is, and removes it', async () => {
  const cache = temporaryFolder(onTestFinished)
  const index = (...words: string[]): Promise<string> =>
    indexFolders(parseConfig(['index', kitchen.folder, ...words], {}))
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(await index('--cache', cache, '--remove')).toBe('There is no index.')
  expect(await index('--cache', cache)).toMatch(/^The index is whole: 0\.\d MB\.$/)
  expect(stderr.mock.calls.map(([line]) => line)).toEqual(['0 of 5 files\n', '5 of 5 files\n'])
  await kitchen.write('src/cup.ts', '/** Holds water. */\nexport function cup() {}\n')
  expect(await run('find', 'until', 'the', 'water', 'boils', '--cache', cache)).toContain(
    '[1 file not indexed yet; code-mcp index adds them]',
  )
  expect(await index('--cache', cache)).toMatch(/^The index is whole/)
  stderr.mockClear()
  // Nothing is left to do.
  expect(await index('--cache', cache)).toMatch(/^The index is whole/)
  expect(stderr).not.toHaveBeenCalled()
  expect(await index('--cache', cache, '--remove')).toMatch(/^Removed the index: 0\.\d MB\.$/)
  expect(await readdir(join(cache, 'index'))).toEqual([])
  await expect(index('--no-cache')).rejects.toThrow('There is no index: it is off')
  stderr.mockRestore()
})

test('a reply from a listing in the past says from when it is', () => {
  const account = {
    searched: 3,
    ignored: 0,
    unreadable: 0,
    unparsed: [],
    unread: 0,
    tooDeep: 0,
    isCut: false,
    listedAt: Date.UTC(2026, 0, 1, 12, 0, 5),
  }
  expect(gapNotes(account, '`path`')).toEqual([
    '[not searched: files that are newer than 12:00:05 UTC]',
  ])
})

test('a page without uses says no "No" of the other pages', async () => {
  const references = await kitchen.code.references('heatWater')
  const page = { ...references, files: [], from: 64, rest: { lines: [], count: 0, files: 0 } }
  const textOf = (more: object, kind?: string): string =>
    renderReferences({ ...page, ...more }, { name: 'heatWater', ...(kind && { kind }) }).text
  expect(textOf({})).not.toContain('No use')
  expect(textOf({ from: 0, next: 64 })).not.toContain('No use')
  expect(textOf({}, 'tests')).toContain(
    'No use of "heatWater" is in a file of tests, on this page.',
  )
  const lines = [{ file: 'a', line: 1, text: 'heatWater' }]
  expect(textOf({ rest: { lines, count: 1, files: 1 } })).toContain(
    'No use of "heatWater" on this page is certain',
  )
})

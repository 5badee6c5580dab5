import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodeFolder, codeFolder } from './code-folder.ts'

const source = `
class Parser {
  parse(text) { return text }
  static parse(text, options) { return [text, options] }
  get size() { return 1 }
  constructor() { this.inner = function inner() { return 2 } }
}
class Reader {
  read() { return 3 }
  parseAll() { return 4 }
}
function read(file) { return file }
const handlers = {
  onOpen: () => { start() },
  alias: () => read,
}
Reader.prototype.late = function () { return 5 }
`

let it: CodeFolder
beforeAll(async () => {
  it = await codeFolder({
    'a.js': source,
    'b.cpp':
      'int f(int a) { return a; }\nint f(double a, int b) { return b; }\nint ns::Box::size() const { return 1; }\n',
    'c.h': 'int declared(int a);\nint both(void);\nint both(void) { return 1; }\n',
  })
})
afterAll(() => it.remove())

const found = async (name: string, file = 'a.js') =>
  (await it.code.functionChunk(file, name)).symbol?.path

describe('a symbol is found', () => {
  test.each([
    ['Reader/read', 'Reader/read'],
    ['Reader.read', 'Reader/read'],
    ['Reader::read', 'Reader/read'],
    ['/Reader/read', 'Reader/read'],
    ['Reader', 'Reader'],
    ['parseAll', 'Reader/parseAll'],
    ['PARSEALL', 'Reader/parseAll'],
    ['Parser/parse[1]', 'Parser/parse[1]'],
    ['parse(text, options)', 'Parser/parse[1]'],
    ['read(file)', 'read'],
    ['onOpen', 'onOpen'],
    ['Reader/late', 'Reader/late'],
    ['constructor', 'Parser/constructor'],
    ['a.js#Reader/read', 'Reader/read'],
    ['line 5', 'Parser/size'],
    ['12', 'read'],
  ])('by %s', async (name, path) => {
    expect(await found(name)).toBe(path)
  })

  test('by its signature, of those with the same name', async () => {
    expect(await found('f(double a, int b)', 'b.cpp')).toBe('f[1]')
    expect(await found('int f( int a )', 'b.cpp')).toBe('f[0]')
    expect(await found('ns::Box::size', 'b.cpp')).toBe('ns/Box/size')
  })

  test('by its whole path before the end of one, with the others named', async () => {
    expect(await it.code.functionChunk('a.js', 'read')).toMatchObject({
      symbol: { path: 'read' },
      others: ['Reader/read'],
    })
  })

  test('by a declaration only where there is no body', async () => {
    expect(await found('declared', 'c.h')).toBe('declared')
    expect(await it.code.functionChunk('c.h', 'both')).toMatchObject({ fileStartLine: 3 })
  })
})

describe('a name that is not one symbol', () => {
  test('names those it could be', async () => {
    await expect(it.code.functionChunk('a.js', 'parse')).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringMatching(
        /Parser\/parse\[0\] \(method, lines 3–3\).*\n- Parser\/parse\[1\] \(method, lines 4–4\): static parse\(text, options\)/,
      ),
    })
  })

  test('names the nearest', async () => {
    await expect(it.code.functionChunk('a.js', 'parsAll')).rejects.toMatchObject({
      code: 'symbol_not_found',
      message: expect.stringContaining('Similar names: Reader/parseAll'),
    })
  })

  test('a line outside of all symbols is in none', async () => {
    await expect(it.code.functionChunk('a.js', 'line 1')).rejects.toMatchObject({
      code: 'symbol_not_found',
    })
  })
})

test('an outline has name paths, kinds, lines and costs', async () => {
  const { entries, total } = await it.code.outline('a.js')
  const lines = entries.map(
    ({ path, kind, startLine, endLine, depth, inside }) =>
      `${path} ${kind} ${startLine}–${endLine} ${depth} ${inside}`,
  )
  expect(lines).toEqual([
    'Parser class 2–7 0 5',
    'Parser/parse[0] method 3–3 1 0',
    'Parser/parse[1] method 4–4 1 0',
    'Parser/size method 5–5 1 0',
    'Parser/constructor constructor 6–6 1 1',
    'Parser/constructor/inner function 6–6 2 0',
    'Reader class 8–11 0 2',
    'Reader/read method 9–9 1 0',
    'Reader/parseAll method 10–10 1 0',
    'read function 12–12 0 0',
    'onOpen function 14–14 0 0',
    'Reader/late method 17–17 0 0',
  ])
  expect(total).toBe(12)
  for (const { tokens } of entries) expect(tokens).toBeGreaterThan(3)
})

test('an outline is narrowed by what holds a symbol, or by words', async () => {
  const within = await it.code.outline('a.js', 'Reader/')
  expect(within.entries.map(({ path }) => path)).toEqual([
    'Reader',
    'Reader/read',
    'Reader/parseAll',
    'Reader/late',
  ])
  const ranked = await it.code.outline('a.js', 'parse all')
  expect(ranked.entries[0]?.path).toBe('Reader/parseAll')
})

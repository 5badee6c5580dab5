import { describe, expect, test } from 'vitest'
import { editJsoncValue, readJsonc, replaceTexts, textsIn } from '../../src/files/index.ts'

const text = `\uFEFF{\r
\t// the servers of the team\r
\t"mcpServers": {\r
\t\t"notes": {\r
\t\t\t"command": "node", // ours\r
\t\t\t"args": ["-e", "x"],\r
\t\t\t"env": { "A": "1", /* two */ "B": "2" },\r
\t\t},\r
\t\t"a.b": { "url": "https://example.com" }\r
\t},\r
}\r
`

/** The value at a path of a document. */
const valueIn = (document: string, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => Object(at)[key], readJsonc(document).data)

const notes = ['mcpServers', 'notes']

describe('a value is set', () => {
  test.each([
    ['a text', [...notes, 'command'], 'deno', text.replace('"node"', '"deno"')],
    ['a list', [...notes, 'args'], ['y'], text.replace('["-e", "x"]', '["y"]')],
    ['a member', [...notes, 'env', 'B'], 'ü\n"', text.replace('"2"', '"ü\\n\\""')],
    [
      'another type',
      ['mcpServers', 'a.b', 'url'],
      { x: 1 },
      text.replace('"https://example.com"', '{\r\n\t\t\t"x": 1\r\n\t\t}'),
    ],
  ])('in place: %s', (_, path, value, expected) => {
    expect(editJsoncValue(text, { path, value })).toBe(expected)
  })

  test('a member that is missing is added, with its objects; all other bytes stay', () => {
    const path = ['aggregator', 'limits', 'caller']
    const edited = editJsoncValue(text, { path, value: { calls: 1, seconds: 2 } })
    expect(valueIn(edited, path)).toEqual({ calls: 1, seconds: 2 })
    const [added = ''] = /\r\n\t"aggregator": \{[\s\S]*?\r\n\t\},/.exec(edited) ?? []
    expect(edited.replace(added, '')).toBe(text)
  })

  test('a member on the line of others is divided from them by one blank', () => {
    const edit = { path: ['a', 'x'], value: 1 }
    expect(editJsoncValue('{"a": { "b": 2 }}', edit)).toBe('{"a": { "x": 1, "b": 2 }}')
    expect(editJsoncValue('{"a": {"b": 2}}', edit)).toBe('{"a": { "x": 1, "b": 2}}')
  })

  test('a member is removed, and nothing else', () => {
    expect(editJsoncValue(text, { path: [...notes, 'args'] })).toBe(
      text.replace('\t\t\t"args": ["-e", "x"],\r\n', ''),
    )
    expect(editJsoncValue(text, { path: [...notes, 'none', 'x'] })).toBe(text)
    expect(editJsoncValue(text, { path: [...notes, 'args'], value: ['-e', 'x'] })).toBe(text)
  })

  test('what is not an object, or is defined twice, is refused', () => {
    const inside = { path: [...notes, 'command', 'x'], value: 1 }
    expect(() => editJsoncValue(text, inside)).toThrow('not an object')
    const twice = '{"a": {"b": 1, "b": 2}}'
    expect(() => editJsoncValue(twice, { path: ['a', 'b'], value: 3 })).toThrow('defined twice')
  })
})

test('any value is set in any document, with all bytes outside of it as they were', () => {
  let seed = 7
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const values = ['x', 5, true, null, [], ['a', 'b'], {}, { k: ['v'] }, '"\u2028\\', 0.5]
  const any = (): unknown => values[next(values.length)]
  const layouts = [undefined, 2, '\t'] as const
  for (let round = 0; round < 500; round++) {
    const data = { a: { b: any(), c: { d: any() } }, e: any() }
    const document = JSON.stringify(data, null, layouts[next(3)])
    const paths = [['a', 'b'], ['a', 'c', 'd'], ['e'], ['a', 'new'], ['f', 'g', 'h']]
    const path = paths[next(paths.length)] ?? []
    const value = any()
    const edited = editJsoncValue(document, { path, value })
    expect(valueIn(edited, path)).toEqual(value)
    const before = valueIn(document, path)
    // Back to what it was: by its data, and where it was a text also by its bytes.
    const back = editJsoncValue(edited, before === undefined ? { path } : { path, value: before })
    if (path[0] !== 'f') expect(readJsonc(back).data).toEqual(data)
    if (typeof before === 'string') expect(back).toBe(document)
  }
})

test('texts are listed with their paths, and replaced in place', () => {
  expect(textsIn(text).map(({ path }) => path.join('/'))).toEqual([
    ...['command', 'args/0', 'args/1', 'env/A', 'env/B'].map((key) => `mcpServers/notes/${key}`),
    'mcpServers/a.b/url',
  ])
  const masked = replaceTexts(text, ({ path, value }) => (path.includes('env') ? '•' : value))
  expect(masked).toBe(text.replace('"1"', '"•"').replace('"2"', '"•"'))
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compactJson } from '../../../src/call/results/compact-json.ts'

/** The objects of tables again. */
function readBack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readBack)
  if (typeof value !== 'object' || value === null) return value
  const { columns, rows, ...others } = value as { columns?: string[]; rows?: unknown[][] }
  if (columns && rows && Object.keys(others).length === 0)
    return rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at], cell])))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readBack(item)]))
}

test('any JSON is read back as it was', () => {
  const row = fc.record({ id: fc.integer(), name: fc.string(), isOpen: fc.boolean() })
  const value = fc.oneof(
    fc.jsonValue(),
    fc.array(row, { maxLength: 8 }),
    fc.record({ items: fc.array(row, { minLength: 3, maxLength: 8 }), more: fc.jsonValue() }),
    fc.record({ columns: fc.array(fc.string()), rows: fc.array(row, { minLength: 3 }) }),
  )
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (json, indent) => {
      const { text, tables } = compactJson(JSON.stringify(json, null, indent))
      const parsed = JSON.parse(text)
      const expected = JSON.parse(JSON.stringify(json))
      expect(tables > 0 ? readBack(parsed) : parsed).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

test('large JSON is read back, too', () => {
  const odd = ['": ', 'a": "b', '\\\\', 'x\\"', ' \n ', '\\": ']
  const rows = Array.from({ length: 9_000 }, (_, id) => ({
    id,
    'a b': odd[id % 6],
    [`k": ${id % 3}`]: [id],
  }))
  for (const indent of [0, 2]) {
    const { text } = compactJson(JSON.stringify(rows, null, indent))
    expect(text.length).toBeLessThan(JSON.stringify(rows).length * 1.1)
    expect(JSON.parse(text)).toEqual(rows)
  }
})

test('numbers and texts stay as they are written', () => {
  expect(
    compactJson('{ "a" : 1.0, "b": 12345678901234567890,\n "c": "x  \\u00e4\\"" , "d": [ ] }').text,
  ).toBe('{"a":1.0,"b":12345678901234567890,"c":"x  \\u00e4\\"","d":[]}')
})

test('lists of objects with equal keys are tables where that is shorter', () => {
  const rows = [1, 2, 3, 4].map((id) => ({ identifier: id, title: `t${id}` }))
  expect(compactJson(JSON.stringify({ rows })).text).toBe(
    '{"rows":{"columns":["identifier","title"],"rows":[[1,"t1"],[2,"t2"],[3,"t3"],[4,"t4"]]}}',
  )
  for (const list of [
    rows.slice(0, 2),
    [...rows, { identifier: 5 }],
    rows.map((row) => ({ ...row, more: [] })),
    rows.map(({ identifier }) => ({ i: identifier })),
  ])
    expect(compactJson(JSON.stringify(list))).toMatchObject({
      text: JSON.stringify(list),
      tables: 0,
    })
})

test('base64 is replaced by its size, and its place is known', () => {
  const data = Buffer.alloc(60_000, 5).toString('base64')
  const json = {
    file: 'a.pdf',
    parts: [{ 'the data': data }],
    url: `data:image/png;base64,${data}`,
    text: 'word '.repeat(400),
  }
  const { text, binaries } = compactJson(JSON.stringify(json))
  expect(binaries).toEqual(['$["parts"][0]["the data"]', '$["url"]'])
  expect(JSON.parse(text)).toEqual({
    ...json,
    parts: [{ 'the data': '[80000 characters of base64]' }],
    url: '[80022 characters of base64]',
  })
})

test.each([
  [
    'identifiers, one per line',
    Array.from(
      { length: 60 },
      (_, at) => `4bf92f35-77b3-4da6-a3ce-${String(at).padStart(12, '0')}`,
    ).join('\n'),
  ],
  ['names', Array.from({ length: 300 }, (_, at) => `apple${at}`).join('\n')],
  ['paths', Array.from({ length: 100 }, (_, at) => `/etc/passwd/user${at}/home`).join('\n')],
  ['a rule', '-'.repeat(1_200)],
  ['a text in an address', `data:text/plain,${'a'.repeat(1_200)}`],
])('%s are not base64', (_name, value) => {
  const json = JSON.stringify({ value })
  expect(compactJson(json)).toMatchObject({ text: json, binaries: [] })
})

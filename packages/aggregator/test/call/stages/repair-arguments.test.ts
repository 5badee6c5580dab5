import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repairArguments } from '../../../src/call/stages/repair-arguments.ts'

const schema = {
  type: 'object',
  properties: {
    filePath: { type: 'string' },
    count: { type: 'integer' },
    deep: { type: 'object', properties: { flag: { type: 'boolean' } } },
    list: { type: 'array', items: { type: 'number' } },
    free: {},
  },
  required: ['filePath'],
}

test.each([
  [{ file_path: 'x' }, { filePath: 'x' }],
  [
    { filePath: 'x', count: '5' },
    { filePath: 'x', count: 5 },
  ],
  [{ filePath: '5' }, { filePath: '5' }],
  [
    { filePath: 'x', deep: '{"flag": "true"}' },
    { filePath: 'x', deep: { flag: true } },
  ],
  [
    { filePath: 'x', list: ['1.5', 2] },
    { filePath: 'x', list: [1.5, 2] },
  ],
  ['{"filePath": "x"}', { filePath: 'x' }],
  [undefined, {}],
])('%j is read as %j', (given, args) => {
  expect(repairArguments(given, schema).args).toEqual(args)
})

test.each([
  // Could be meant as they are.
  { filePath: 'x', Count: 5 },
  { filePath: 'x', FilePath: 'y' },
  { filePath: 'x', count: '5 apples' },
  { filePath: 'x', count: '99999999999999999999' },
  { filePath: 'x', deep: '{broken' },
  { filePath: 'x', free: '5' },
])('%j stays as it is', (given) => {
  expect(repairArguments(given, schema)).toEqual({ args: given, repairs: [] })
})

test('a key that means something to JavaScript is only a key', () => {
  const given = JSON.parse('{"__proto__": {"polluted": 1}, "filePath": "x"}')
  const { args } = repairArguments(given, schema)
  expect(JSON.stringify(args)).toBe('{"__proto__":{"polluted":1},"filePath":"x"}')
  expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
})

test('arguments that fit are never changed', () => {
  const fitting = fc.record(
    {
      filePath: fc.string(),
      count: fc.integer(),
      deep: fc.record({ flag: fc.boolean() }),
      list: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
      free: fc.jsonValue(),
    },
    { requiredKeys: ['filePath'] },
  )
  fc.assert(
    fc.property(fitting, (given) => {
      expect(repairArguments(given, schema)).toEqual({ args: given, repairs: [] })
    }),
  )
})

import { expect, test } from 'vitest'
import { signatureOf, summaryOf } from '../../src/catalog/signature.ts'

test('required parameters come first, with a sign', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      depth: { type: 'integer' },
      path: { type: 'string' },
      kind: { enum: ['a', 'b'] },
      tags: { type: 'array', items: { type: 'string' } },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      both: { type: ['string', 'number'] },
      odd: true,
    },
    required: ['path'],
  }
  expect(signatureOf('m.t', { inputSchema })).toBe(
    'm.t(path*: string, depth: integer, kind: "a"|"b", tags: string[], either: string|null, both: string|number, odd: any)',
  )
})

test.each([undefined, null, 5, { properties: 'x' }, { required: 'all' }])(
  'a schema that is none, %j, is no parameters',
  (inputSchema) => {
    expect(signatureOf('t', { inputSchema })).toBe('t()')
  },
)

test('of many parameters some are shown', () => {
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, {}]))
  expect(signatureOf('t', { inputSchema: { properties } })).toMatch(/p11: any, …\)$/)
})

test.each([
  ['Read a file. It is long.', 'Read a file'],
  ['Is it?  Yes.', 'Is it?'],
  ['Lines\nand   blanks', 'Lines and blanks'],
  ['v1.2 of it', 'v1.2 of it'],
  ['x'.repeat(300), `${'x'.repeat(100)}…`],
])('%j in one line', (description, summary) => {
  expect(summaryOf({ description })).toBe(summary)
})

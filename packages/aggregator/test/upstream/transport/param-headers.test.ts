import { expect, test } from 'vitest'
import { headerFault, paramHeaders } from '../../../src/upstream/transport/param-headers.ts'

const tool = {
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
      list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Never' } },
    },
  },
}

test('parameters that are declared go into headers', () => {
  expect(paramHeaders(tool, { region: 'eu', deep: { n: 5 }, list: ['x'] })).toEqual({
    'Mcp-Param-Region': 'eu',
    'Mcp-Param-N': '5',
  })
})

test.each([
  ['日本', '=?base64?5pel5pys?='],
  [' eu', '=?base64?IGV1?='],
  ['', '=?base64??='],
  ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
  ['a b', 'a b'],
])('%j is sent as %s', (region, header) => {
  expect(paramHeaders(tool, { region })).toEqual({ 'Mcp-Param-Region': header })
})

test('without a declaration there are none', () => {
  expect(paramHeaders({ inputSchema: { type: 'object' } }, { a: 1 })).toEqual({})
  expect(paramHeaders(undefined, {})).toEqual({})
})

const withHeaders = (...headers: [type: string, header: unknown][]) => ({
  inputSchema: {
    properties: Object.fromEntries(
      headers.map(([type, header], index) => [`p${index}`, { type, 'x-mcp-header': header }]),
    ),
  },
})

test.each([
  [[['string', '']]],
  [[['string', 'My Region']]],
  [[['string', 'Region:Primary']]],
  [[['string', 'Région']]],
  [[['string', 'Region\t1']]],
  [[['string', 5]]],
  [[['object', 'Data']]],
  [[['array', 'Items']]],
  [[['null', 'Nil']]],
  [[['number', 'Score']]],
  [
    [
      ['string', 'Region'],
      ['string', 'Region'],
    ],
  ],
  [
    [
      ['string', 'MyField'],
      ['integer', 'myfield'],
    ],
  ],
] as [[string, unknown][]][])('%j is named as the reason to leave out the tool', (headers) => {
  expect(headerFault(withHeaders(...headers))).toMatch(/^x-mcp-header of p\d is /)
})

test('valid headers are no fault', () => {
  expect(headerFault(tool)).toBeUndefined()
  expect(headerFault(withHeaders(['boolean', 'Verbose'], ['integer', 'N']))).toBeUndefined()
  expect(headerFault({})).toBeUndefined()
})

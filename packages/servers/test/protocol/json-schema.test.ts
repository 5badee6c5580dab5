import { expect, test } from 'vitest'
import { validateArguments } from '../../src/protocol/json-schema.ts'

const closed = (properties: object) => ({
  type: 'object',
  properties,
  additionalProperties: false,
})
const text = { type: 'string' }

test.each([
  [closed({ a: text }), { a: 'x', colour: 1 }, 'params has "colour", which the tool does not have'],
  [closed({ a: text }), { b: 1, c: 2 }, 'params has "b", "c", which the tool does not have'],
  [closed({}), { 'a/b~c': 1 }, 'params has "a/b~c", which the tool does not have'],
  [
    closed({ in: closed({ a: text }) }),
    { in: { b: 1 } },
    'params.in has "b", which the tool does not have',
  ],
  [
    closed({ list: { type: 'array', items: { $ref: '#/$defs/one' } } }),
    { list: [{ b: 1 }] },
    'params.list[0] has "b", which the tool does not have',
  ],
  [
    { type: 'object', unevaluatedProperties: false, allOf: [{ properties: { a: text } }] },
    { a: 'x', b: 1 },
    'params has "b", which the tool does not have',
  ],
])('a parameter that the tool does not have is named: %#', (schema, args, said) => {
  const whole = { ...schema, $defs: { one: closed({ a: text }) } }
  expect(validateArguments(args, whole)).toBe(said)
})

test('one that only another alternative has is told without its name', () => {
  const schema = { type: 'object', oneOf: [closed({ a: text }), closed({ b: text })] }
  expect(validateArguments({ a: 'x', b: 'x' }, schema)).toContain(
    'params has a parameter that the tool does not have',
  )
})

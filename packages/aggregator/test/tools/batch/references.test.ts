import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { referencesIn, replaceReferences } from '../../../src/tools/batch/references.ts'
import { resolveReference } from '../../../src/tools/batch/value-of-result.ts'
import { text } from '../../fake-servers.ts'

const put = (value: unknown, result: object) =>
  replaceReferences(value, (reference) => resolveReference(reference, { ...result }))

const structured = (structuredContent: unknown) => ({ content: [], structuredContent })

describe('a reference stands for a value', () => {
  test.each([
    ['${a}', structured({ x: 1 }), { x: 1 }],
    ['${a.x}', structured({ x: 1 }), 1],
    ['${a.list[1].id}', structured({ list: [{ id: 1 }, { id: null }] }), null],
    ['${a["odd key"]}', structured({ 'odd key': true }), true],
    ['${a.results[0].id}', structured({ id: 7 }), 7],
    ['${a.results[0].id}', structured([{ id: 8 }]), 8],
    ['${a.results[1]}', structured({ results: [1, 2] }), 2],
    ['${a.id}', text('{"id": 9}'), 9],
    ['${a.results[0].id}', text('{"id": 9}'), 9],
    ['${a}', text('plain'), 'plain'],
    ['${a.results[1]}', { content: [{ text: 'x' }, { text: '[1]' }] }, [1]],
  ])('%s of %j', (reference, result, value) => {
    expect(put({ deep: [reference] }, result)).toEqual({ deep: [value] })
  })
})

test('alone it keeps its type, within a text it becomes text', () => {
  const result = structured({ n: 3, o: { p: 1 }, s: 'x' })
  expect(put(['${a.n}', 'n=${a.n} o=${a.o} s=${a.s}'], result)).toEqual([3, 'n=3 o={"p":1} s=x'])
})

test('a sign before it keeps it as it is', () => {
  expect(put('$${a.n} ${a.n}', structured({ n: 1 }))).toBe('${a.n} 1')
  expect(referencesIn('$${a.n}')).toEqual([])
})

describe('one that leads nowhere says what is there', () => {
  test.each([
    ['${a.y}', structured({ x: 1 }), '${a.y} has no value: a has the keys x'],
    ['${a.list[5]}', structured({ list: [1] }), 'a.list is a list with 1 item'],
    ['${a.__proto__}', structured({ x: 1 }), 'has no value'],
    ['${a.constructor}', structured({ x: 1 }), 'has no value'],
    ['${a.x}', text('plain'), 'a is "plain"'],
  ])('%s', (reference, result, message) => {
    expect(() => put(reference, result)).toThrow(message)
  })
})

test('values without references stay as they are', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      fc.pre(!JSON.stringify(value).includes('${'))
      expect(replaceReferences(value, () => 'never')).toEqual(value)
      expect(referencesIn(value)).toEqual([])
    }),
  )
})

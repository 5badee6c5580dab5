import { expect, test } from 'vitest'
import { readRoaring } from '../src/published-index/roaring.ts'

const numbersIn = (...bytes: number[]) => [...readRoaring(Uint8Array.from(bytes))]

test.each([
  ['nothing', [], []],
  ['a mark for nothing', [0], []],
  ['some numbers', [2, 5, 0, 0, 0, 0, 1, 0, 0], [5, 256]],
  ['steps of a byte', [0xd3, 7, 0, 0, 0, 1, 2], [7, 8, 10]],
  ['a run', [0xe3, 7, 0, 0, 0], [7, 8, 9]],
  ['steps of two bytes', [0xf2, 7, 0, 0, 0, 0, 1], [7, 263]],
  [
    'a container of single numbers',
    [0x3a, 0x30, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 16, 0, 0, 0, 3, 0, 9, 0],
    [65_539, 65_545],
  ],
  ['a container of runs', [0x3b, 0x30, 0, 0, 1, 0, 0, 4, 0, 1, 0, 2, 0, 3, 0], [2, 3, 4, 5]],
])('%s', (_, bytes, numbers) => {
  expect(numbersIn(...bytes)).toEqual(numbers)
})

test('a container of bits', () => {
  const bits = new Uint8Array(16 + 8_192)
  bits.set([0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 0x87, 0x13, 16, 0, 0, 0])
  bits.set([0b1010_0001], 16)
  bits.set([0b1], 16 + 8_191)
  expect([...readRoaring(bits)]).toEqual([0, 5, 7, 65_528])
})

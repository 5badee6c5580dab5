import { expect, test } from 'vitest'
import { partsOf } from '../src/search-index/section-text.ts'

test('a section of more than 6,000 characters is indexed in parts', () => {
  expect(partsOf('rope '.repeat(1_200))).toHaveLength(1)
  expect(partsOf(`${'rope '.repeat(1_200)}.`).map(({ length }) => length)).toEqual([6_000, 1])
})

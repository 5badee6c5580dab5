import { expect, test } from 'vitest'
import type { SourceFile } from '../src/outline/source-file.ts'
import { chooseCut } from '../src/paging/choose-cut.ts'
import type { CutPoints } from '../src/paging/cut-points.ts'

/** The end of a page of 1,000 characters, between statements at offsets, each in so many others. */
const endOf = (...statements: [offset: number, depth: number][]) => {
  const positions = statements.map(([offset]) => offset)
  const depths = statements.map(([, depth]) => depth)
  return chooseCut({} as SourceFile, { positions, depths } as unknown as CutPoints, 0, 1_000)
}

test('a page of code ends at a statement in its last 30 %, however deep, if there is one', () => {
  expect(endOf([500, 0], [701, 9])).toBe(701)
  expect(endOf([500, 0], [700, 9])).toBe(500)
})

test('a page of code is not cut in three more statements to fill the rest of its last 30 %', () => {
  expect(endOf([850, 1], [1_000, 3])).toBe(1_000)
  expect(endOf([850, 1], [1_000, 5])).toBe(850)
})

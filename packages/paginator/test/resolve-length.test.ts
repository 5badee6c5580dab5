import { resolveLength } from '@pith-mcp/paginator'
import { expect, test } from 'vitest'

test.each([
  [undefined, 5_000],
  [0, 20_000],
  [-1, 5_000],
  [Number.NaN, 5_000],
  [1, 1],
  [0.5, 1],
  [700.9, 700],
  [20_001, 20_000],
  [Number.POSITIVE_INFINITY, 20_000],
])('%s is %s', (asked, given) => {
  expect(resolveLength(asked)).toBe(given)
})

test('the fallback stays below a smaller cap', () => {
  expect(resolveLength(undefined, { cap: 100 })).toBe(100)
})

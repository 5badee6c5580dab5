import { expect, test } from 'vitest'

const { expressionsOnReplies } = (await import(
  new URL('../scripts/house/expressions.mjs', import.meta.url).href
)) as { expressionsOnReplies: () => string[] }

test('no script reads a reply of our programs with a regular expression', () => {
  expect(expressionsOnReplies()).toEqual([])
})

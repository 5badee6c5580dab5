import { expect, test } from 'vitest'
import { lineDiff } from '../../src/line-diff.ts'

const lines = (...all: string[]): string => all.join('\n')

test.each([
  ['nothing', lines('a', 'b'), lines('a', 'b'), []],
  ['a line', lines('a', 'b', 'c'), lines('a', 'x', 'c'), ['  a', '- b', '+ x', '  c']],
  ['an added line', lines('a', 'c'), lines('a', 'b', 'c'), ['  a', '+ b', '  c']],
  ['a repeated line', lines('a', 'a'), lines('a', 'a', 'a'), ['  a', '  a', '+ a']],
  ['everything', 'a', 'b', ['- a', '+ b']],
])('of %s', (_, before, after, expected) => {
  expect(lineDiff(before, after)).toEqual(expected)
})

test('changes that are far apart are divided by "…"', () => {
  const all = Array.from({ length: 30 }, (_, at) => `line ${at}`)
  const after = all.map((line, at) => (at === 5 || at === 20 ? `${line}!` : line))
  const diff = lineDiff(all.join('\n'), after.join('\n'))
  expect(diff.filter((line) => /^[-+]/.test(line))).toHaveLength(4)
  expect(diff.filter((line) => line === '…')).toHaveLength(1)
  expect(diff).toHaveLength(2 * (2 + 4) + 1)
})

test('of long texts all changed lines count as replaced', () => {
  const before = Array.from({ length: 3_000 }, (_, at) => `a ${at}`)
  const diff = lineDiff(before.join('\n'), before.map((line) => `${line}!`).join('\n'))
  expect(diff).toHaveLength(6_000)
})

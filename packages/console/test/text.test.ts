import { expect, test } from 'vitest'
import { formatCount, formatMilliseconds, formatShare, formatTokens } from '../web/text/numbers.ts'
import { spellOddCharacters, splitOddCharacters } from '../web/text/odd-characters.ts'
import { formatRelative } from '../web/text/times.ts'

test.each([
  ['plain, ünïcode, 路径, 👍🏽 and ❤️', 'plain, ünïcode, 路径, 👍🏽 and ❤️'],
  ['a\u202eb', 'a⟨U+202E⟩b'],
  ['\u200b', '⟨U+200B⟩'],
  ['x\u{e0041}\u2066y\u0007', 'x⟨U+E0041⟩⟨U+2066⟩y⟨U+0007⟩'],
  ['lines\nand\ttabs', 'lines\nand\ttabs'],
  ['', ''],
])('what cannot be seen in %j is spelled out', (text, spelled) => {
  expect(spellOddCharacters(text)).toBe(spelled)
  expect(
    splitOddCharacters(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})

test.each([
  [formatTokens(999), '999'],
  [formatTokens(12_403), '12.4k'],
  [formatTokens(999_999), '1M'],
  [formatTokens(-5_700), '-5.7k'],
  [formatCount(1_234_567), '1\u202f234\u202f567'],
  [formatShare(0.0312), '3.1\u202f%'],
  [formatShare(0.99999), '>\u202f99.9\u202f%'],
  [formatShare(0.00001), '<\u202f0.1\u202f%'],
  [formatShare(0), '0\u202f%'],
  [formatShare(1), '100\u202f%'],
  [formatMilliseconds(0.84), '0.8\u202fms'],
  [formatMilliseconds(1_234), '1.23\u202fs'],
  [formatMilliseconds(90_000), '1\u202fmin 30\u202fs'],
])('numbers are short: %s', (given, expected) => {
  expect(given).toBe(expected)
})

test('times are told by the largest unit that fits', () => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  expect(formatRelative(new Date(now - 1_000), now)).toBe('now')
  expect(formatRelative(new Date(now - 200_000), now)).toBe('3 min. ago')
  expect(formatRelative(new Date(now + 86_400_000 * 3), now)).toBe('in 3 days')
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGuessLimit } from '../../../src/http/rejections/guess-limit.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const bounds = { guesses: 3, guessMs: 1_000, guessers: 2 }
const times = (count: number, run: () => number): number[] => Array.from({ length: count }, run)

test('guesses are forgotten one after the other', () => {
  const limit = createGuessLimit(bounds)
  expect(times(5, () => limit('unknown_token', 'a'))).toEqual([0, 0, 0, 1, 1])
  vi.advanceTimersByTime(1_000)
  expect(times(2, () => limit('jwt_signature', 'a'))).toEqual([0, 1])
  vi.advanceTimersByTime(10_000)
  expect(times(4, () => limit('bad_code', 'a'))).toEqual([0, 0, 0, 1])
  expect(limit('unknown_token', 'b')).toBe(0)
})

test('a credential that has expired is none', () => {
  const limit = createGuessLimit(bounds)
  for (const reason of ['jwt_expired', 'expired_token', 'no_credential', 'jwt_aud'])
    expect(times(9, () => limit(reason, 'a'))).toEqual(times(9, () => 0))
})

test('as many clients are remembered as the bounds say', () => {
  const limit = createGuessLimit(bounds)
  for (const client of ['a', 'b']) times(4, () => limit('unknown_token', client))
  expect(limit('unknown_token', 'c')).toBe(0)
  expect(limit('unknown_token', 'b')).toBe(1)
  expect(limit('unknown_token', 'a')).toBe(0)
})

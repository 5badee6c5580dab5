import { afterEach, expect, test, vi } from 'vitest'
import { createCircuitBreaker } from '../../src/upstream/circuit-breaker.ts'

test('the first failure is tried again at once, later ones after pauses that double', () => {
  let now = 0
  const breaker = createCircuitBreaker(
    () => now,
    () => 1,
  )
  const waits = Array.from({ length: 12 }, () => {
    breaker.failed()
    const wait = breaker.waitMs()
    now += wait
    return wait
  })
  expect(waits).toEqual([0, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000])
})

test('jitter shortens a pause by at most half', () => {
  const breaker = createCircuitBreaker(
    () => 0,
    () => 0,
  )
  breaker.failed()
  breaker.failed()
  expect(breaker.waitMs()).toBe(125)
})

test('a success ends the pauses', () => {
  const breaker = createCircuitBreaker()
  for (let failure = 1; failure <= 5; failure++) breaker.failed()
  expect(breaker.failures).toBe(5)
  breaker.succeeded()
  expect(breaker.failures).toBe(0)
  expect(breaker.waitMs()).toBe(0)
})

afterEach(() => void vi.useRealTimers())

test('a clock that is put back a day, or forward, changes no pause', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const breaker = createCircuitBreaker(undefined, () => 1)
  for (let failure = 1; failure <= 8; failure++) breaker.failed()
  const before = breaker.waitMs()
  vi.setSystemTime(Date.now() - 86_400_000)
  expect(breaker.waitMs()).toBeLessThanOrEqual(before)
  vi.setSystemTime(Date.now() + 10 * 86_400_000)
  expect(breaker.waitMs()).toBeGreaterThan(before - 1_000)
})

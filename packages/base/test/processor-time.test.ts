import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorkLimit, processorTimeout } from '../src/processor-time.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('time in which the process does not work does not count', () => {
  let worked = 500
  const { signal, clear } = processorTimeout(30_000, () => worked)
  vi.advanceTimersByTime(500_000)
  expect(signal.aborted).toBe(false)
  worked += 29_999
  vi.advanceTimersByTime(1_000)
  expect(signal.aborted).toBe(false)
  worked += 1
  vi.advanceTimersByTime(1_000)
  expect(signal.aborted).toBe(true)
  clear()
})

test('a limit of work is not exceeded while others have the processor', () => {
  let worked = 0
  const isOver = createWorkLimit(20_000, () => worked)
  worked = 19_000
  vi.advanceTimersByTime(500_000)
  expect(isOver()).toBe(false)
  worked = 20_001
  expect(isOver()).toBe(true)
})

test('work that waits for ever ends', () => {
  const { signal, clear } = processorTimeout(30_000, () => 0)
  vi.advanceTimersByTime(601_000)
  expect(signal.aborted).toBe(true)
  clear()
})

test('a cleared limit never aborts', () => {
  let worked = 0
  const { signal, clear } = processorTimeout(10, () => worked)
  clear()
  worked = 1_000
  vi.advanceTimersByTime(10_000)
  expect(signal.aborted).toBe(false)
})

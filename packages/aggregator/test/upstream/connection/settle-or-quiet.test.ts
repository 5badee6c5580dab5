import { expect, test, vi } from 'vitest'
import { settleOrQuiet } from '../../../src/upstream/connection/settle-or-quiet.ts'

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const never = () => new Promise<void>(() => {})

test('resolves when all have come to an end, well or not', async () => {
  const ended: number[] = []
  await settleOrQuiet([20, 10], async (ms) => {
    await after(ms)
    ended.push(ms)
    if (ms === 10) throw new Error('failed')
  })
  expect(ended.sort()).toEqual([10, 20])
})

test('does not wait for who hangs once the others are done', async () => {
  const settled: number[] = []
  const work = (item: number) =>
    item === 1 ? never() : after(5).then(() => void settled.push(item))
  await settleOrQuiet([0, 1, 2], work, { gapMs: 30 })
  expect(settled).toEqual([0, 2])
})

test('waits while none is done', async () => {
  let isOver = false
  void settleOrQuiet([1], never, { gapMs: 5 }).then(() => {
    isOver = true
  })
  await after(50)
  expect(isOver).toBe(false)
})

test('those that hang give their places to others', async () => {
  const work = vi.fn((item: number) => (item < 2 ? never() : after(0)))
  await settleOrQuiet([0, 1, 2, 3], work, { maxConcurrency: 2, slotMs: 10, gapMs: 30 })
  expect(work).toHaveBeenCalledTimes(4)
})

test('when others were done before, nobody waits for these', async () => {
  const work = vi.fn(never)
  await settleOrQuiet([1], work, { gapMs: 10, isAnyDone: true })
  expect(work).toHaveBeenCalledOnce()
})

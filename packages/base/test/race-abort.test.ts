import { expect, test } from 'vitest'
import { raceAbort } from '../src/race-abort.ts'

test('work without a signal, or before it aborts, has its own outcome', async () => {
  const { signal } = new AbortController()
  expect(await raceAbort(Promise.resolve(1), undefined)).toBe(1)
  expect(await raceAbort(Promise.resolve(1), signal)).toBe(1)
  await expect(raceAbort(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
})

test('an abort ends the wait, and a value that arrives later is passed on', async () => {
  const abort = new AbortController()
  const late: number[] = []
  let finish = (_: number): void => {}
  const work = new Promise<number>((resolve) => {
    finish = resolve
  })
  const waiting = raceAbort(work, abort.signal, (value) => late.push(value))
  abort.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  finish(1)
  await work
  expect(late).toEqual([1])
})

import { expect, test } from 'vitest'
import { LazyLibrary } from '../../src/run/index.ts'

test('is opened once, again after a failure, and closed if it was opened', async () => {
  const events: string[] = []
  let isBroken = true
  const library = new LazyLibrary(async () => {
    events.push('open')
    if (isBroken) throw new Error('broken')
    return { close: () => void events.push('close') }
  })
  await library.close()
  await Promise.all([
    expect(library.open()).rejects.toThrow('broken'),
    expect(library.open()).rejects.toThrow('broken'),
  ])
  expect(events).toEqual(['open'])
  isBroken = false
  expect(await library.open()).toBe(await library.open())
  await library.close()
  expect(events).toEqual(['open', 'open', 'close'])
})

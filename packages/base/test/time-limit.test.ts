import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { timeLimit } from '../src/race-abort.ts'

test('aborts in time, also if all that is not kept is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const collecting = setInterval(collect, 5)
  try {
    const caller = new AbortController()
    const reason = await new Promise((resolve) => {
      const signal = timeLimit(60, caller.signal, undefined)
      signal.addEventListener('abort', () => resolve(signal.reason))
    })
    expect(reason).toMatchObject({ name: 'TimeoutError' })
  } finally {
    clearInterval(collecting)
  }
})

test('aborts with the signals that it is given', () => {
  const caller = new AbortController()
  const signal = timeLimit(60_000, undefined, caller.signal)
  caller.abort('enough')
  expect(signal).toMatchObject({ aborted: true, reason: 'enough' })
})

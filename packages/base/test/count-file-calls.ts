import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { vi } from 'vitest'

const syncCalls = ['readdirSync', 'lstatSync', 'statSync', 'openSync', 'readFileSync'] as const
/** What runs in the background is counted in some of them. */
const times = 3
const asyncCalls = ['readdir', 'stat', 'lstat', 'open', 'readFile'] as const

/** How often files and folders are looked at while something is done: the least of some times. */
export async function countFileCalls(work: () => Promise<unknown>): Promise<number> {
  const spies = [
    ...syncCalls.map((name) => vi.spyOn(fs, name)),
    ...asyncCalls.map((name) => vi.spyOn(promises, name)),
  ]
  syncBuiltinESMExports()
  try {
    const counts: number[] = []
    for (let time = 0; time < times; time++) {
      for (const spy of spies) spy.mockClear()
      await work()
      counts.push(spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0))
    }
    return Math.min(...counts)
  } finally {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
  }
}

import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { vi } from 'vitest'

const syncCalls = ['readdirSync', 'lstatSync', 'statSync', 'openSync', 'readFileSync'] as const
const asyncCalls = ['readdir', 'stat', 'lstat', 'open', 'readFile'] as const

/** How often files and folders are looked at while something is done. */
export async function countFileCalls(work: () => Promise<unknown>): Promise<number> {
  const spies = [
    ...syncCalls.map((name) => vi.spyOn(fs, name)),
    ...asyncCalls.map((name) => vi.spyOn(promises, name)),
  ]
  syncBuiltinESMExports()
  try {
    await work()
    return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
  }
}

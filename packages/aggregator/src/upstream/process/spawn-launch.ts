import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Writable } from 'node:stream'
import spawn from 'cross-spawn'
import type { Launch } from '../sandbox/port/launch.ts'
import { foreignDescriptors } from './foreign-descriptors.ts'

/** With pipes for its input, output and errors, and one more for each thing it is given to read. */
export function spawnLaunch({
  command,
  args,
  env,
  cwd,
  inputs = [],
  isConfined,
}: Launch): ChildProcess {
  const stdio: (number | 'ignore' | 'pipe')[] = [
    'pipe',
    'pipe',
    'pipe',
    ...inputs.map(() => 'pipe' as const),
  ]
  const foreign = isConfined ? foreignDescriptors().filter((number) => number >= stdio.length) : []
  // Node can put something else in place of a descriptor, and not close it.
  const nothing = foreign.length > 0 ? openSync(devNull, 'r') : undefined
  for (const number of foreign) {
    while (stdio.length < number) stdio.push('ignore')
    stdio.push(nothing as number)
  }
  try {
    const child = spawn(command, [...args], {
      env: { ...env },
      stdio,
      // A group of its own, so that what `npx` and others start can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...(cwd !== undefined && { cwd }),
    })
    for (const [index, bytes] of inputs.entries()) {
      const input = child.stdio[index + 3] as Writable | null | undefined
      input?.on('error', () => {})
      input?.end(bytes)
    }
    return child
  } finally {
    if (nothing !== undefined) closeSync(nothing)
  }
}

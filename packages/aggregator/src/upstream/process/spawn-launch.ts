import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Writable } from 'node:stream'
import spawn from 'cross-spawn'
import type { Launch } from '#sandbox/port/launch'
import { inheritedFds } from './inherited-fds.ts'

/** Spawns with pipes for input, output and errors, and one more for each of `inputs`. */
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
  const foreign = isConfined ? inheritedFds().filter((number) => number >= stdio.length) : []
  // Node can replace a descriptor, but not close it.
  const nothing = foreign.length > 0 ? openSync(devNull, 'r') : undefined
  for (const number of foreign) {
    while (stdio.length < number) stdio.push('ignore')
    stdio.push(nothing as number)
  }
  try {
    const child = spawn(command, [...args], {
      env: { ...env },
      stdio,
      // A process group of its own, so that children of `npx` and others can be killed with it.
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

// Run a script of this repository with the pinned pnpm on the PATH.
import { spawn } from 'node:child_process'
import { environmentWithPnpm, requireNode } from './pnpm-environment.mjs'
import { createProgress } from './start/progress.mjs'

requireNode()
const progress = createProgress()
let child

// A ctrl-C reaches the child as well; stay until it has cleaned up.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => (child ? child.kill(signal) : process.exit(130)))

try {
  const env = await environmentWithPnpm({ progress })
  progress.end()
  child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit', env })
  child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)))
} catch (error) {
  progress.end()
  console.error(error.message)
  process.exit(1)
}

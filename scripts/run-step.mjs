import { spawn } from 'node:child_process'

/** Run a command to its end, its output shown; resolves with its exit code, never rejects. */
export function runStep(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
      ...options,
    })
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)))
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      resolve(1)
    })
  })
}

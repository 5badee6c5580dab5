import { spawn } from 'node:child_process'

/** Run a command to its end, its output shown; resolves with its exit code, never rejects. */
export function runStep(command, args, { onChunk, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
      ...options,
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', onChunk)
    child.on('close', (code, signal) => resolve(signal ? 1 : (code ?? 1)))
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      resolve(1)
    })
  })
}

/** The same, its output given in one piece at its end. */
export async function runStepQuietly(command, args, onOutput) {
  const chunks = []
  const code = await runStep(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    onChunk: (chunk) => chunks.push(chunk),
  })
  onOutput(Buffer.concat(chunks).toString())
  return code
}

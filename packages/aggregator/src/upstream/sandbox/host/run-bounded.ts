import { execFile } from 'node:child_process'

const maxAgeMs = 5_000

export interface Ran {
  isHealthy: boolean
  stdout: string
  stderr: string
}

/** Runs a program for its output: with an empty environment, for 5 s at most. */
export const runBounded = (command: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      command,
      [...args],
      { env: {}, timeout: maxAgeMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 },
      (error, stdout, stderr) =>
        resolve({ isHealthy: error === null, stdout, stderr: stderr || (error?.message ?? '') }),
    )
    child.stdin?.end()
  })

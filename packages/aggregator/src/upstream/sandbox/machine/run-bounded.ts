import { execFile } from 'node:child_process'

const longestMs = 5_000

export interface Ran {
  isWell: boolean
  stdout: string
  stderr: string
}

/** Run a program to ask it something: with an environment of nothing, and not for long. */
export const runBounded = (command: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      command,
      [...args],
      { env: {}, timeout: longestMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 },
      (error, stdout, stderr) =>
        resolve({ isWell: error === null, stdout, stderr: stderr || (error?.message ?? '') }),
    )
    child.stdin?.end()
  })

import { execFile } from 'node:child_process'
import type { SecretSource } from './secret-sources.ts'

/** Someone may have to unlock something. */
const timeoutMs = 60_000
const mostBytes = 64 * 1024

/**
 * `${command:op read op://work/notion/token}`: what a command prints, without the last line end. It
 * is run by the shell, as it was configured; what it prints is never said in an error.
 */
export const commandSecret: SecretSource = (command, signal) =>
  new Promise((resolve, reject) => {
    const [shell, flag] =
      process.platform === 'win32' ? (['cmd.exe', '/c'] as const) : (['/bin/sh', '-c'] as const)
    const options = { timeout: timeoutMs, maxBuffer: mostBytes, signal, windowsHide: true }
    const child = execFile(shell, [flag, command], options, (error, stdout) => {
      if (error === null) return resolve(stdout.replace(/\r?\n$/, ''))
      const { code, killed } = error as { code?: unknown; killed?: boolean }
      const why = killed ? `no answer within ${timeoutMs / 1000} s` : `it failed (${code})`
      reject(new Error(`\${command:${command.split(/\s/, 1)[0]} …}: ${why}`))
    })
    child.stdin?.end()
  })

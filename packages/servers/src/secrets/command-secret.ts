import { execFile } from 'node:child_process'
import type { SecretSource } from './secret-sources.ts'

/** A person may have to unlock a vault first. */
const timeoutMs = 60_000
const maxBytes = 64 * 1024

/**
 * `${command:op read op://work/notion/token}`: the output of a shell command without the last line
 * end. Errors never contain the output.
 */
export const commandSecret: SecretSource = (command, signal) =>
  new Promise((resolve, reject) => {
    const [shell, flag] =
      process.platform === 'win32' ? (['cmd.exe', '/c'] as const) : (['/bin/sh', '-c'] as const)
    const options = { timeout: timeoutMs, maxBuffer: maxBytes, signal, windowsHide: true }
    const child = execFile(shell, [flag, command], options, (error, stdout) => {
      if (error === null) return resolve(stdout.replace(/\r?\n$/, ''))
      const { code, killed } = error as { code?: unknown; killed?: boolean }
      const why = killed ? `it did not finish within ${timeoutMs / 1000} s` : `it failed (${code})`
      reject(new Error(`\${command:${command.split(/\s/, 1)[0]} …}: ${why}`))
    })
    child.stdin?.end()
  })

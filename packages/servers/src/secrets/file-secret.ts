import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { SecretSource } from './secret-sources.ts'

const maxBytes = 64 * 1024

/**
 * `${file:~/.secrets/notion}`: the content of a file that only its owner can read, without the last
 * line end.
 */
export const fileSecret: SecretSource = async (name) => {
  const path = resolve(name.replace(/^~(?=\/|$)/, homedir()))
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`\${file:${name}}: the file cannot be read (${error.code})`)
  })
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    throw new Error(`\${file:${name}}: others can read the file; run chmod 600 ${path}`)
  if (!stats.isFile() || stats.size > maxBytes)
    throw new Error(`\${file:${name}}: it must be a file of at most ${maxBytes} bytes`)
  return (await readFile(path, 'utf8')).replace(/\r?\n$/, '')
}

import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'

/** Some file systems store times with a resolution of only two seconds. */
export const coarsestMs = 2_000

/** Does not follow a link that has replaced a file, and does not block on a pipe. */
export const safeFlags: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** A value that changes with a file; undefined if it changed too recently to be relied on. */
export const plainStamp = ({ mtimeMs, ctimeMs, size, ino }: Stats): string | undefined =>
  Date.now() - ctimeMs < coarsestMs ? undefined : `${mtimeMs}:${ctimeMs}:${size}:${ino}`

/** The first line of a file as far as 200 bytes, in Latin-1; empty if it cannot be opened. */
export function firstLine(path: string): string {
  try {
    const file = openSync(path, safeFlags)
    try {
      const start = Buffer.alloc(200)
      return start.toString('latin1', 0, readSync(file, start)).split('\n', 1)[0] ?? ''
    } finally {
      closeSync(file)
    }
  } catch {
    // It is not searched, as a file without a known language.
    return ''
  }
}

/**
 * The bytes of a file, in `buffer`, which the next call overwrites.
 *
 * @throws for what is no file, cannot be opened, or is larger than the buffer.
 */
export function readBytes(path: string, buffer: Buffer): { bytes: Buffer; stats: Stats } {
  const file = openSync(path, safeFlags)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size > buffer.length) throw new Error(`${path} is not read.`)
    let length = 0
    while (length < stats.size) {
      const read = readSync(file, buffer, length, stats.size - length, length)
      if (read === 0) break
      length += read
    }
    return { bytes: buffer.subarray(0, length), stats }
  } finally {
    closeSync(file)
  }
}

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Counts the bytes that folders take on the disk. A file with several names is counted once, also
 * when it is met again in another folder: pnpm links packages from its store into node_modules.
 */
export function createDiskUsage() {
  const seen = new Set()
  /**
   * @param since Only files that were made after this time, in milliseconds since 1970.
   * @param timeout In milliseconds; if it takes longer, the result is undefined.
   */
  return function sizeOf(folder, { since = 0, timeout = Number.POSITIVE_INFINITY } = {}) {
    const deadline = performance.now() + timeout
    const folders = [folder]
    let bytes = 0
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      if (performance.now() > deadline) return undefined
      for (const entry of entriesOf(at)) {
        const path = join(at, entry.name)
        if (entry.isDirectory()) folders.push(path)
        else if (entry.isFile()) bytes += bytesOf(path, seen, since)
      }
    }
    return bytes
  }
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function bytesOf(path, seen, since) {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  const { dev, ino, nlink, size, blocks, birthtimeMs } = stats
  const id = `${dev}:${ino}`
  if (birthtimeMs < since || seen.has(id)) return 0
  if (nlink > 1) seen.add(id)
  // Windows does not say how many blocks of 512 bytes a file has.
  return blocks === undefined ? size : blocks * 512
}

import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Indexes that nobody has opened for so long go, and the oldest while all are larger than this. */
const longestUnusedMs = 90 * 24 * 60 * 60_000
const mostBytes = 2 * 2 ** 30
/** One that was opened lately may be in use by another process. */
const inUseMs = 24 * 60 * 60_000

const usedMark = (path: string): string => `${path}.used`

/** Note that an index is in use; reading it changes no date of its file. */
export async function markUsed(path: string): Promise<void> {
  const now = new Date()
  await utimes(usedMark(path), now, now).catch(() => writeFile(usedMark(path), '').catch(() => {}))
}

/** Remove indexes of sources that nobody asks any more. */
export async function pruneIndexes(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.sqlite'))
      .map(async (name) => {
        const path = join(folder, name)
        const file = await stat(path).catch(() => undefined)
        const used = await stat(usedMark(path)).catch(() => file)
        return { path, size: file?.size ?? 0, usedAt: used?.mtimeMs ?? 0 }
      }),
  )
  let total = files.reduce((sum, { size }) => sum + size, 0)
  const now = Date.now()
  for (const { path, size, usedAt } of files.sort((a, b) => a.usedAt - b.usedAt)) {
    const age = now - usedAt
    if (age < inUseMs || (age < longestUnusedMs && total <= mostBytes)) continue
    for (const file of [path, `${path}-wal`, `${path}-shm`, usedMark(path)])
      await rm(file, { force: true }).catch(() => {})
    total -= size
  }
}

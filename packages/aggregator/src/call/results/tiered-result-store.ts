import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { defaultResultLimits, type ResultLimits, type ResultStore } from './result-store.ts'

/** Stores results in memory; evicted ones go to a folder, if there is one. */
export function createResultStore(
  folder?: string,
  limits: Partial<ResultLimits> = {},
): Omit<ResultStore, 'put'> & { put(id: string, text: string): boolean } {
  const { memoryBytes, diskBytes, ttlMs } = { ...defaultResultLimits, ...limits }
  const disk =
    folder === undefined ? undefined : createFolder(folder, '.json', { diskBytes, ttlMs })
  const memory = new LRUCache<string, string>({
    maxSize: memoryBytes,
    // Larger results go to the folder directly.
    maxEntrySize: memoryBytes,
    sizeCalculation: (text) => text.length * 2 + 100,
    ttl: ttlMs,
    dispose: (text, id, reason) => {
      if (reason === 'evict') disk?.put(id, text)
    },
  })
  return {
    put(id, text) {
      memory.set(id, text)
      return memory.has(id) || (disk?.put(id, text) ?? false)
    },
    get: async (id) => memory.get(id) ?? (await disk?.get(id)),
    close() {
      memory.clear()
      disk?.clear()
    },
  }
}

/** Writes the texts of results for agents that search files; the text of one is a file. */
export type ResultFiles = ReturnType<typeof createResultFiles>

/** Files of mode 600, within the limits of results on disk. */
export function createResultFiles(folder: string) {
  const files = createFolder(folder, '.txt', defaultResultLimits)
  return {
    /** The path, or undefined if it cannot be written. */
    write: (id: string, text: string): string | undefined =>
      files.put(id, text) ? join(folder, `${id}.txt`) : undefined,
    /** Deletes the files of this process. */
    close: files.clear,
  }
}

/** The share of the limit after which the files of all processes are looked at again. */
const lookShare = 16

/** One file per result; the oldest are evicted, and those of ended processes expire. */
function createFolder(
  folder: string,
  extension: string,
  { diskBytes, ttlMs }: Pick<ResultLimits, 'diskBytes' | 'ttlMs'>,
) {
  const ids = new Set<string>()
  /** What was written since the files of all processes were looked at. */
  let written = Number.POSITIVE_INFINITY
  const pathOf = (id: string): string => join(folder, `${id}${extension}`)

  function makeRoom(bytes: number): void {
    written += bytes
    if (written <= diskBytes / lookShare) return
    written = 0
    const files = readdirSync(folder).flatMap((name) => {
      try {
        const path = join(folder, name)
        const { size, mtimeMs } = statSync(path)
        return [{ path, size, mtimeMs }]
      } catch {
        return []
      }
    })
    files.sort((a, b) => a.mtimeMs - b.mtimeMs)
    let total = files.reduce((sum, { size }) => sum + size, bytes)
    for (const { path, size, mtimeMs } of files) {
      if (total <= diskBytes && Date.now() - mtimeMs < ttlMs) continue
      rmSync(path, { force: true })
      total -= size
    }
  }

  return {
    put(id: string, text: string) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        makeRoom(Buffer.byteLength(text))
        writeFileSync(pathOf(id), text, { mode: 0o600 })
        ids.add(id)
        return true
      } catch {
        // The disk is full or read-only.
        return false
      }
    },
    async get(id: string) {
      try {
        const path = pathOf(id)
        if (Date.now() - statSync(path).mtimeMs > ttlMs) return undefined
        return await readFile(path, 'utf8')
      } catch {
        return undefined
      }
    },
    clear() {
      for (const id of ids) rmSync(pathOf(id), { force: true })
    },
  }
}

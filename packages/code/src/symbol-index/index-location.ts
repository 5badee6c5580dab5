import { createHash } from 'node:crypto'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { markUsed, pruneFiles } from '#base/sqlite-files'

/** The file of the index of these folders; undefined without a folder that can be written. */
export async function databaseIn(
  cacheFolder: string | undefined,
  folders: readonly string[],
): Promise<string | undefined> {
  if (cacheFolder === undefined) return undefined
  const name = createHash('sha256').update(JSON.stringify(folders)).digest('hex').slice(0, 24)
  const database = join(cacheFolder, 'index', `${name}.sqlite`)
  try {
    // It has names and constants of sources that others may not read; its log gets the same mode.
    await mkdir(dirname(database), { recursive: true, mode: 0o700 })
    await chmod(dirname(database), 0o700)
    await writeFile(database, '', { flag: 'a', mode: 0o600 })
    await chmod(database, 0o600)
    await pruneFiles(dirname(database))
    await markUsed(database)
    return database
  } catch {
    return undefined
  }
}

/** Bytes of an index and its log. */
export async function sizeOf(database: string | undefined): Promise<number> {
  const files = database === undefined ? [] : [database, `${database}-wal`]
  const sizes = await Promise.all(files.map((file) => stat(file).catch(() => undefined)))
  return sizes.reduce((sum, file) => sum + (file?.size ?? 0), 0)
}

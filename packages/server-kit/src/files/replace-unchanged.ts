import { randomBytes } from 'node:crypto'
import { chmod, open, readFile, rename, rm } from 'node:fs/promises'

/** The bytes of a file; undefined if it does not exist. */
export async function bytesOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const areSame = (a: Buffer | undefined, b: Buffer | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b)

/** Another process has changed the file. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

/**
 * Replaces a file atomically, if it has not changed since it was read. `path` must not be a link.
 *
 * @throws {FileChanged} and errors of the file system
 */
export async function replaceUnchanged(
  path: string,
  bytes: Buffer,
  { before, mode }: { before: Buffer | undefined; mode: number },
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.pith`
  const file = await open(draft, 'wx', 0o600)
  try {
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(draft, mode)
    if (!areSame(await bytesOf(path), before))
      throw new FileChanged('it was changed in the meantime')
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bytesOf, FileChanged, replaceFile } from '@pith-mcp/setup/files'
import type { Surroundings } from '../entry/entry-context.ts'
import { type Backup, forget, hashOf, keep, lastBackup, type Manifest } from './backups.ts'

interface UndoneFile {
  path: string
  /** Undefined when it is as it was. */
  why?: string
  /** Where what was overwritten is kept. */
  copy?: string
  isRemoved: boolean
}

export interface Undone {
  /** When the import was. */
  at: string
  files: UndoneFile[]
}

type ManifestFile = Manifest['files'][number]

/** Put every file back as it was before the last import. Undefined when there was none. */
export async function undoImport(
  around: Surroundings,
  { force }: { force: boolean },
): Promise<Undone | undefined> {
  const backup = await lastBackup(around)
  if (backup === undefined) return undefined
  const files: UndoneFile[] = []
  // The clients first: as long as one of them names our file, that has to stay.
  for (const file of backup.manifest.files.toReversed()) {
    const isNeeded = file.isOurs && files.some(({ why }) => why !== undefined)
    const done = isNeeded
      ? { path: file.path, why: 'kept, since the files above still need it', isRemoved: false }
      : await putBack(file, backup, force)
    files.push(done)
  }
  if (files.every(({ why }) => why === undefined)) {
    await forget(backup)
  }
  return { at: backup.manifest.at, files }
}

async function putBack(file: ManifestFile, backup: Backup, force: boolean): Promise<UndoneFile> {
  const { path, before } = file
  const done: UndoneFile = { path, isRemoved: before === undefined }
  try {
    const current = await bytesOf(path)
    const isAsBefore =
      current === undefined ? before === undefined : hashOf(current) === before?.hash
    if (isAsBefore) {
      if (before !== undefined) await chmodIfOther(path, before.mode)
      return done
    }
    const isForeign = current !== undefined && hashOf(current) !== file.after
    if (isForeign && !force)
      return { ...done, why: 'it was changed since the import; --force puts it back all the same' }
    const copy = isForeign ? await keepCopy(backup, path, current) : undefined
    if (before === undefined) await rm(path)
    else {
      const bytes = await readFile(join(backup.folder, before.backup))
      if (hashOf(bytes) !== before.hash) return { ...done, why: 'its backup is damaged' }
      await mkdir(dirname(path), { recursive: true })
      await replaceFile(path, bytes, { before: current, mode: before.mode })
    }
    return { ...done, ...(copy !== undefined && { copy }) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return {
      ...done,
      why: error instanceof FileChanged ? message : `it could not be put back (${code})`,
    }
  }
}

/** What is overwritten by force is not lost. */
async function keepCopy({ folder }: Backup, path: string, bytes: Buffer): Promise<string> {
  const name = `${hashOf(bytes).slice(0, 12)}-${basename(path)}`
  await keep(folder, name, bytes).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return join(folder, name)
}

async function chmodIfOther(path: string, mode: number): Promise<void> {
  if (((await stat(path)).mode & 0o777) !== mode) await chmod(path, mode)
}

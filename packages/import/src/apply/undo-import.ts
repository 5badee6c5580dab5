import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { bytesOf, FileChanged, replaceUnchanged } from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'
import {
  type Backup,
  deleteBackup,
  hashOf,
  lastBackup,
  type Manifest,
  saveBackup,
} from './backups.ts'

interface UndoneFile {
  path: string
  /** Why it was not restored. */
  reason?: string
  /** The copy of an overwritten version. */
  copy?: string
  isRemoved: boolean
}

export interface Undone {
  /** The time of the import. */
  at: string
  files: UndoneFile[]
}

type ManifestFile = Manifest['files'][number]

/** Restores every file as before the last import. Undefined if there was no import. */
export async function undoImport(
  host: HostEnvironment,
  { force }: { force: boolean },
): Promise<Undone | undefined> {
  const backup = await lastBackup(host)
  if (backup === undefined) return undefined
  const files: UndoneFile[] = []
  // Clients first: our file must stay while one of them refers to it.
  for (const file of backup.manifest.files.toReversed()) {
    const isNeeded = file.isOurs && files.some(({ reason }) => reason !== undefined)
    const done = isNeeded
      ? {
          path: file.path,
          reason: 'Kept, because the files above still need it.',
          isRemoved: false,
        }
      : await restore(file, backup, force)
    files.push(done)
  }
  if (files.every(({ reason }) => reason === undefined)) {
    await deleteBackup(backup)
  }
  return { at: backup.manifest.at, files }
}

async function restore(file: ManifestFile, backup: Backup, force: boolean): Promise<UndoneFile> {
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
      return { ...done, reason: 'It changed since the import. --force restores it anyway.' }
    const copy = isForeign ? await saveCopy(backup, path, current) : undefined
    if (before === undefined) await rm(path)
    else {
      const bytes = await readFile(join(backup.folder, before.backup))
      if (hashOf(bytes) !== before.hash) return { ...done, reason: 'Its backup is damaged.' }
      await mkdir(dirname(path), { recursive: true })
      await replaceUnchanged(path, bytes, { before: current, mode: before.mode })
    }
    return { ...done, ...(copy !== undefined && { copy }) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return {
      ...done,
      reason:
        error instanceof FileChanged
          ? asSentence(message)
          : `It could not be restored (${code ?? message}).`,
    }
  }
}

/** Save a version that --force overwrites. */
async function saveCopy({ folder }: Backup, path: string, bytes: Buffer): Promise<string> {
  const name = `${hashOf(bytes).slice(0, 12)}-${basename(path)}`
  await saveBackup(folder, name, bytes).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return join(folder, name)
}

async function chmodIfOther(path: string, mode: number): Promise<void> {
  if (((await stat(path)).mode & 0o777) !== mode) await chmod(path, mode)
}

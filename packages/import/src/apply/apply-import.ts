import { existsSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bytesOf, FileChanged, replaceUnchanged } from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'
import type { Edit } from '../plan/plan.ts'
import {
  backupsFolder,
  createBackupFolder,
  hashOf,
  type Manifest,
  removeEmpty,
  saveBackup,
  saveManifest,
} from './backups.ts'

/** An import that failed. `message` names the file, the reason and the files that were not restored. */
export class ImportFailed extends Error {
  override readonly name = 'ImportFailed'
}

interface Change {
  path: string
  before: Buffer | undefined
  after: Buffer
  mode: number
}

/** Write all files of a plan, or none. Backs up each file first. @throws {ImportFailed} */
export async function applyImport(edits: readonly Edit[], config: string, host: HostEnvironment) {
  const doneChanges: Change[] = []
  const folders: string[] = []
  let backups: string | undefined
  let at = ''
  try {
    const changes: Change[] = []
    for (const { path, before, after } of edits) {
      at = path
      const mode = before === undefined ? 0o600 : (await stat(path)).mode & 0o777
      changes.push({
        path,
        before: before === undefined ? undefined : Buffer.from(before),
        after: Buffer.from(after),
        mode,
      })
      folders.push(...missingFolders(dirname(path)))
    }
    at = 'the backups'
    folders.push(...missingFolders(backupsFolder(host)))
    backups = await createBackupFolder(host)
    await saveAll(backups, changes, folders, config, host)
    for (const change of changes) {
      at = change.path
      await mkdir(dirname(change.path), { recursive: true, mode: 0o700 })
      await replaceUnchanged(change.path, change.after, change)
      doneChanges.push(change)
    }
    return {
      /** The folder with the backups. */
      backups,
      lost: await overwritten(doneChanges),
    }
  } catch (error) {
    const changedFiles = await rollBack(doneChanges)
    if (changedFiles.length === 0 && backups !== undefined) await rm(backups, { recursive: true })
    await removeEmpty(folders)
    throw new ImportFailed(failure(at, error, changedFiles, backups))
  }
}

function failure(
  at: string,
  error: unknown,
  changedFiles: readonly string[],
  backups: string | undefined,
): string {
  const { code } = error as NodeJS.ErrnoException
  const reason =
    error instanceof FileChanged
      ? 'It changed during the import. Is its program running?'
      : `It could not be written (${code ?? (error as Error).message}).`
  const rest =
    changedFiles.length === 0
      ? 'All files are unchanged.'
      : `These files could not be restored: ${changedFiles.join(', ')}. Their backups are in ${backups}.`
  return `${at}: ${reason} ${rest}`
}

async function saveAll(
  backups: string,
  changes: readonly Change[],
  folders: readonly string[],
  config: string,
  { now }: HostEnvironment,
): Promise<void> {
  const files: Manifest['files'] = []
  for (const [index, { path, before, after, mode }] of changes.entries()) {
    const backup = `${index}.bak`
    if (before !== undefined) await saveBackup(backups, backup, before)
    files.push({
      path,
      isOurs: path === config,
      ...(before !== undefined && { before: { hash: hashOf(before), backup, mode } }),
      after: hashOf(after),
    })
  }
  await saveManifest(backups, { version: 1, at: now().toISOString(), files, folders: [...folders] })
}

/** The folders to create for a folder, innermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) || folder === dirname(folder)
    ? []
    : [folder, ...missingFolders(dirname(folder))]
}

/** Restore files. Returns those that could not be restored, or that others have changed since. */
async function rollBack(changes: readonly Change[]): Promise<string[]> {
  const paths: string[] = []
  for (const { path, before, after, mode } of changes.toReversed()) {
    try {
      if (before !== undefined) await replaceUnchanged(path, before, { before: after, mode })
      else if ((await bytesOf(path))?.equals(after)) await rm(path)
      else paths.push(path)
    } catch {
      paths.push(path)
    }
  }
  return paths
}

/** Files that another program overwrote immediately, from a copy in its memory. */
async function overwritten(changes: readonly Change[]): Promise<string[]> {
  const lost: string[] = []
  for (const { path, after } of changes) if (!(await bytesOf(path))?.equals(after)) lost.push(path)
  return lost
}

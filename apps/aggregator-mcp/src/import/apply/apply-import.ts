import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bytesOf, FileChanged, replaceFile } from '@pith-mcp/setup/files'
import type { Surroundings } from '../entry/entry-context.ts'
import type { Edit } from '../plan/plan.ts'
import {
  backupsFolder,
  createBackupFolder,
  hashOf,
  keep,
  keepManifest,
  type Manifest,
  removeEmpty,
} from './backups.ts'

/** Nothing was written, or all that was is as before; `message` says of which file, and why. */
export class ImportFailed extends Error {
  override readonly name = 'ImportFailed'
}

interface Change {
  path: string
  before: Buffer | undefined
  after: Buffer
  mode: number
}

export interface Applied {
  /** The folder with every file as it was. */
  backups: string
  /** Files that somebody wrote over at once, as a program does that keeps its own in memory. */
  lost: string[]
}

/**
 * Write all files of a plan, or none; each is kept as it was first.
 *
 * @throws {ImportFailed}
 */
export async function applyImport(
  edits: readonly Edit[],
  config: string,
  around: Surroundings,
): Promise<Applied> {
  const written: Change[] = []
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
      folders.push(...(await missingFolders(dirname(path))))
    }
    at = 'the backups'
    folders.push(...(await missingFolders(backupsFolder(around))))
    backups = await createBackupFolder(around)
    await keepAll(backups, changes, folders, config, around)
    for (const change of changes) {
      at = change.path
      await mkdir(dirname(change.path), { recursive: true, mode: 0o700 })
      await replaceFile(change.path, change.after, change)
      written.push(change)
    }
    return { backups, lost: await overwritten(written) }
  } catch (error) {
    const left = await rollBack(written)
    if (left.length === 0 && backups !== undefined) await rm(backups, { recursive: true })
    await removeEmpty(folders)
    throw new ImportFailed(failure(at, error, left, backups))
  }
}

function failure(
  at: string,
  error: unknown,
  left: readonly string[],
  backups: string | undefined,
): string {
  const { code } = error as NodeJS.ErrnoException
  const why =
    error instanceof FileChanged
      ? 'it was changed while this ran; is its program open?'
      : `it could not be written (${code ?? (error as Error).message})`
  const rest =
    left.length === 0
      ? 'Everything is as it was.'
      : `These could not be put back: ${left.join(', ')}; as they were they are in ${backups}.`
  return `${at}: ${why}. ${rest}`
}

async function keepAll(
  backups: string,
  changes: readonly Change[],
  folders: readonly string[],
  config: string,
  { now }: Surroundings,
): Promise<void> {
  const files: Manifest['files'] = []
  for (const [index, { path, before, after, mode }] of changes.entries()) {
    const backup = `${index}.bak`
    if (before !== undefined) await keep(backups, backup, before)
    files.push({
      path,
      isOurs: path === config,
      ...(before !== undefined && { before: { hash: hashOf(before), backup, mode } }),
      after: hashOf(after),
    })
  }
  await keepManifest(backups, { version: 1, at: now().toISOString(), files, folders: [...folders] })
}

/** Those on the way to a folder that are not there, the innermost first. */
async function missingFolders(folder: string): Promise<string[]> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  return isThere || folder === dirname(folder)
    ? []
    : [folder, ...(await missingFolders(dirname(folder)))]
}

/** Gives the files that could not be put back. What others wrote since is left. */
async function rollBack(written: readonly Change[]): Promise<string[]> {
  const left: string[] = []
  for (const { path, before, after, mode } of written.toReversed()) {
    try {
      if (before !== undefined) await replaceFile(path, before, { before: after, mode })
      else if ((await bytesOf(path))?.equals(after)) await rm(path)
      else left.push(path)
    } catch {
      left.push(path)
    }
  }
  return left
}

async function overwritten(written: readonly Change[]): Promise<string[]> {
  const lost: string[] = []
  for (const { path, after } of written) if (!(await bytesOf(path))?.equals(after)) lost.push(path)
  return lost
}

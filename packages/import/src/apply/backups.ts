import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { HostEnvironment } from '../entry/host-environment.ts'

const hash = z.string()

const manifest = z.object({
  version: z.literal(1),
  at: z.string(),
  /** In the order of writing, our own file first. */
  files: z.array(
    z.object({
      path: z.string(),
      isOurs: z.boolean(),
      /** Absent if the file did not exist. */
      before: z.object({ hash, backup: z.string(), mode: z.number() }).optional(),
      after: hash,
    }),
  ),
  /** Created folders, innermost first. */
  folders: z.array(z.string()),
})

/** The record of an import, with everything needed to undo it. */
export type Manifest = z.output<typeof manifest>

export interface Backup {
  folder: string
  manifest: Manifest
}

const manifestName = 'manifest.json'

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** In the state folder, since caches may be deleted. */
export const backupsFolder = ({ home, variables }: HostEnvironment): string =>
  join(
    variables['XDG_STATE_HOME'] || join(home, '.local', 'state'),
    'pith',
    'aggregator-mcp',
    'imports',
  )

/** Remove folders that are empty. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => undefined)
}

/** Create the folder for the backups of an import. Names sort by time. */
export async function createBackupFolder(host: HostEnvironment): Promise<string> {
  const parent = backupsFolder(host)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const stamp = host.now().toISOString().replace(/[-:.]/g, '')
  for (let count = 1; ; count++) {
    const folder = join(parent, `${stamp}-${String(count).padStart(3, '0')}`)
    try {
      await mkdir(folder, { mode: 0o700 })
      return folder
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Readable by its owner only, since it may hold secrets. */
export const saveBackup = (folder: string, name: string, bytes: Buffer | string): Promise<void> =>
  writeFile(join(folder, name), bytes, { mode: 0o600, flag: 'wx' })

export const saveManifest = (folder: string, manifest: Manifest): Promise<void> =>
  saveBackup(folder, manifestName, `${JSON.stringify(manifest, null, 2)}\n`)

/** The backup of the last import that has not been undone. */
export async function lastBackup(host: HostEnvironment): Promise<Backup | undefined> {
  const parent = backupsFolder(host)
  const names = await readdir(parent).catch((): string[] => [])
  for (const name of names.sort().reverse()) {
    const folder = join(parent, name)
    const text = await readFile(join(folder, manifestName), 'utf8').catch(() => undefined)
    if (text !== undefined) return { folder, manifest: manifest.parse(JSON.parse(text)) }
  }
  return undefined
}

/** Delete a backup after its undo. Copies of overwritten files stay. */
export async function deleteBackup({ folder, manifest }: Backup): Promise<void> {
  await rm(join(folder, manifestName), { force: true })
  for (const { before } of manifest.files)
    if (before !== undefined) await rm(join(folder, before.backup), { force: true })
  await removeEmpty([folder, ...manifest.folders])
}

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Surroundings } from '../entry/entry-context.ts'

const hash = z.string()

const manifest = z.object({
  version: z.literal(1),
  at: z.string(),
  /** In the order they were written, our own first. */
  files: z.array(
    z.object({
      path: z.string(),
      isOurs: z.boolean(),
      /** How it was; without this there was none. */
      before: z.object({ hash, backup: z.string(), mode: z.number() }).optional(),
      after: hash,
    }),
  ),
  /** That were made, the innermost first. */
  folders: z.array(z.string()),
})

/** What an import has done, with all it takes to undo it. */
export type Manifest = z.output<typeof manifest>

export interface Backup {
  folder: string
  manifest: Manifest
}

const manifestName = 'manifest.json'

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Not with the caches, which may be emptied. */
export const backupsFolder = ({ home, variables }: Surroundings): string =>
  join(
    variables['XDG_STATE_HOME'] || join(home, '.local', 'state'),
    'pith',
    'aggregator-mcp',
    'imports',
  )

/** Folders that were made; one with something in it stays. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => undefined)
}

/** An own folder for one import; its name sorts by time. */
export async function createBackupFolder(around: Surroundings): Promise<string> {
  const room = backupsFolder(around)
  await mkdir(room, { recursive: true, mode: 0o700 })
  const stamp = around.now().toISOString().replace(/[-:.]/g, '')
  for (let count = 1; ; count++) {
    const folder = join(room, `${stamp}-${String(count).padStart(3, '0')}`)
    try {
      await mkdir(folder, { mode: 0o700 })
      return folder
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Secrets may stand in it: for its owner only. */
export const keep = (folder: string, name: string, bytes: Buffer | string): Promise<void> =>
  writeFile(join(folder, name), bytes, { mode: 0o600, flag: 'wx' })

export const keepManifest = (folder: string, said: Manifest): Promise<void> =>
  keep(folder, manifestName, `${JSON.stringify(said, null, 2)}\n`)

/** The last import that was not undone. */
export async function lastBackup(around: Surroundings): Promise<Backup | undefined> {
  const room = backupsFolder(around)
  const names = await readdir(room).catch((): string[] => [])
  for (const name of names.sort().reverse()) {
    const folder = join(room, name)
    const text = await readFile(join(folder, manifestName), 'utf8').catch(() => undefined)
    if (text !== undefined) return { folder, manifest: manifest.parse(JSON.parse(text)) }
  }
  return undefined
}

/** What was undone is not undone again; copies that were made on the way stay. */
export async function forget({ folder, manifest }: Backup): Promise<void> {
  await rm(join(folder, manifestName), { force: true })
  for (const { before } of manifest.files)
    if (before !== undefined) await rm(join(folder, before.backup), { force: true })
  await removeEmpty([folder, ...manifest.folders])
}

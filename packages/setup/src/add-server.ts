import { copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Scope, Surroundings } from './clients/client-files.ts'
import { type ClientName, clientNames, clients, isClientName } from './clients/clients.ts'
import { FileRefused } from './files/file-refused.ts'
import { FileChanged, replaceFile } from './files/replace-file.ts'
import { sameData } from './files/same-data.ts'
import type { Table } from './files/table.ts'
import { findTarget, type Target } from './find-target.ts'
import type { Launch } from './launch.ts'
import { SetupError } from './setup-error.ts'
import { memberOf, withMember } from './with-member.ts'

export interface AddOptions {
  client: ClientName
  /** Of the server, as the client shows it: letters, digits, `_` and `-`, at most 40. */
  name: string
  launch: Launch
  around: Surroundings
  /** Default: as the client is mostly used. */
  scope?: Scope
  /** What the entry says besides. */
  more?: Table
  /** In place of another server of that name. */
  force?: boolean
  /** Say what would be written, and write nothing. */
  print?: boolean
  now?: () => Date
}

export interface Added {
  client: ClientName
  name: string
  /** Where the file really is, behind links. */
  path: string
  /** What it says now, or would say. */
  text: string
  /** `there`: it said so before. */
  change: 'added' | 'replaced' | 'there' | 'printed'
  /** The file as it was, unless it is new or the same. */
  backup?: string
}

/**
 * Enter a server into the configuration of a client. Every other byte of the file stays, and a copy
 * of it as it was is put beside it.
 *
 * @throws {SetupError}
 */
export async function addServer(options: AddOptions): Promise<Added> {
  const { client, name, launch, around, more, force = false, print = false } = options
  if (!isClientName(client))
    throw new SetupError(
      'unknown_client',
      `client ${client}: is none of ${clientNames.join(', ')}.`,
    )
  const { scope = clients[client].scope, now = () => new Date() } = options
  if (!/^[\w-]{1,40}$/.test(name))
    throw new SetupError('bad_name', `name ${name}: letters, digits, _ and - only, at most 40.`)
  const target = await findTarget(client, scope, around)
  const { path, before } = target
  const entry = { ...clients[client].entry(launch), ...more }
  const known = await refusing(target, () => memberOf(target, name))
  if (known !== undefined && sameData(known, entry))
    return { client, name, path, text: before ?? '', change: print ? 'printed' : 'there' }
  if (known !== undefined && !force)
    throw new SetupError(
      'name_taken',
      `${path} has another server called ${name}: pass another --name, or --force to put this in its place.`,
    )
  const text = await refusing(target, () => withMember(target, name, entry))
  if (print) return { client, name, path, text, change: 'printed' }
  const backup = await write(target, text, now())
  const change = known === undefined ? 'added' : 'replaced'
  return { client, name, path, text, change, ...(backup !== undefined && { backup }) }
}

async function refusing<Result>({ path }: Target, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw new SetupError('file_refused', `${path}: ${error.message}. It was left as it is.`, error)
  }
}

/** Resolves to where the file is kept as it was. */
async function write({ path, before }: Target, text: string, at: Date) {
  await mkdir(dirname(path), { recursive: true })
  const mode = before === undefined ? 0o600 : (await stat(path)).mode & 0o777
  const backup = `${path}.${at.toISOString().replace(/[-:.Z]/g, '')}.bak`
  if (before !== undefined) await copyFile(path, backup)
  try {
    await replaceFile(path, Buffer.from(text), {
      before: before === undefined ? undefined : Buffer.from(before),
      mode,
    })
  } catch (error) {
    if (!(error instanceof FileChanged)) throw error
    throw new SetupError('file_changed', `${path}: ${error.message}. Try again.`, error)
  }
  return before === undefined ? undefined : backup
}

import { copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FileRefused } from '../files/read-text.ts'
import { FileChanged, replaceUnchanged } from '../files/replace-file.ts'
import { sameData } from '../files/table.ts'
import { AddError } from './add-error.ts'
import type { Client, ServerNeeds } from './entries/client.ts'
import type { Launch } from './entries/launch.ts'
import { findTarget, memberOf, type Target, withMember } from './find-target.ts'
import type { HostEnvironment, Scope } from './locations/location.ts'

/** The client, the server, and how to write it. */
export interface AddOptions {
  client: Client
  /** Name of the server in the client: letters, digits, `_` and `-`, at most 40. */
  name: string
  launch: Launch
  host: HostEnvironment
  /** Default: the usual scope of the client. */
  scope?: Scope
  /** What the entry must provide besides. */
  needs?: ServerNeeds
  /** Replace another server with this name. */
  force?: boolean
  /** Return what would be written, and write nothing. */
  print?: boolean
}

/** What was written, and where. */
export interface AddResult {
  client: Client
  name: string
  /** Real path, without links. */
  path: string
  /** The new content. */
  text: string
  /** `there`: the file had this entry already. */
  change: 'added' | 'replaced' | 'there' | 'printed'
  /** Copy of the previous file, unless it is new or unchanged. */
  backup?: string
}

/**
 * Adds a server to the configuration of a client. All other bytes of the file are preserved, and a
 * copy of the previous file is stored next to it.
 *
 * @throws {AddError}
 */
export async function addServer(options: AddOptions): Promise<AddResult> {
  const { client, name, launch, host, needs, force = false, print = false } = options
  const { scope = client.scope } = options
  if (!/^[\w-]{1,40}$/.test(name))
    throw new AddError(
      'bad_name',
      `The name ${name} must consist of letters, digits, "_" and "-", and have at most 40 characters.`,
    )
  const target = await findTarget(client, scope, host)
  const { path, before } = target
  const entry = { ...client.entry(launch), ...(needs && client.provide?.(needs, {})) }
  const known = await refusing(target, () => memberOf(target, name))
  if (known !== undefined && sameData(known, entry))
    return { client, name, path, text: before ?? '', change: print ? 'printed' : 'there' }
  if (known !== undefined && !force)
    throw new AddError('name_taken', `${path} has another server named ${name}.`)
  const text = await refusing(target, () => withMember(target, name, entry))
  if (print) return { client, name, path, text, change: 'printed' }
  const backup = await write(target, text)
  const change = known === undefined ? 'added' : 'replaced'
  return { client, name, path, text, change, ...(backup !== undefined && { backup }) }
}

async function refusing<Result>({ path }: Target, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw new AddError(
      'file_refused',
      `${path}: ${error.message}. The file was not changed.`,
      error,
    )
  }
}

/** Resolves to the path of the copy. */
async function write({ path, before }: Target, text: string) {
  await mkdir(dirname(path), { recursive: true })
  const mode = before === undefined ? 0o600 : (await stat(path)).mode & 0o777
  const backup = `${path}.${new Date().toISOString().replace(/[-:.Z]/g, '')}.bak`
  if (before !== undefined) await copyFile(path, backup)
  try {
    await replaceUnchanged(path, Buffer.from(text), {
      before: before === undefined ? undefined : Buffer.from(before),
      mode,
    })
  } catch (error) {
    if (!(error instanceof FileChanged)) throw error
    throw new AddError('file_changed', `${path}: ${error.message}.`, error)
  }
  return before === undefined ? undefined : backup
}

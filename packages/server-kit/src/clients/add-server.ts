import { copyFile, lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isTable, sameData, type Table, valueAt } from '#base/table'
import { type ConfigFormat, editConfigText, readConfigText } from '../files/config-text.ts'
import { FileRefused, readText } from '../files/read-text.ts'
import { FileChanged, replaceUnchanged } from '../files/replace-unchanged.ts'
import { AddError } from './add-error.ts'
import type { Client, Launch, ServerNeeds } from './entries/client.ts'
import {
  type ConfigLocation,
  type HostEnvironment,
  matchingLocations,
  type Scope,
} from './locations/location.ts'

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
  /** The entry as the only one of a file, unless the file had it. */
  entry?: string
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
  const entry = { ...client.entry(launch, name), ...(needs && client.provide?.(needs, {})) }
  const existingEntry = await refusing(target, () => memberOf(target, name))
  if (existingEntry !== undefined && sameData(existingEntry, entry))
    return { client, name, path, text: before ?? '', change: print ? 'printed' : 'there' }
  if (existingEntry !== undefined && !force)
    throw new AddError('name_taken', `${path} has another server named ${name}.`)
  const snippet = await withMember({ ...target, before: undefined }, name, entry)
  const text = await refusing(
    target,
    () => withMember(target, name, entry),
    ` Add this to it:\n\n${snippet}`,
  )
  if (print) return { client, name, path, text, entry: snippet, change: 'printed' }
  const backup = await write(target, text)
  const change = existingEntry === undefined ? 'added' : 'replaced'
  const result = { client, name, path, text, entry: snippet, change } as const
  return { ...result, ...(backup !== undefined && { backup }) }
}

/**
 * Removes what `addServer` wrote. If nothing else of the file has changed since, the file is what it
 * was before, and its copy is removed; otherwise only the entry goes, and a copy is made.
 *
 * @throws {AddError}
 */
export async function removeServer(
  options: Pick<AddOptions, 'client' | 'name' | 'host' | 'scope' | 'force'> & {
    /** The entry starts this program. */
    isOwn: (entry: string) => boolean
  },
): Promise<{ path: string; isExact: boolean }> {
  const { client, name, host, scope = client.scope, force = false, isOwn } = options
  const target = await findTarget(client, scope, host)
  const { path, before } = target
  const entry = before && (await refusing(target, () => memberOf(target, name)))
  if (before === undefined || entry === undefined)
    throw new AddError('not_there', `${path} has no server named ${name}.`)
  if (!force && !isOwn(JSON.stringify(entry)))
    throw new AddError('not_own', `${name} in ${path} is another server.`)
  const madeFrom = async (earlier: string | undefined): Promise<boolean> =>
    (await withMember({ ...target, before: earlier }, name, entry as Table).catch(() => '')) ===
    before
  for (const copy of await copiesOf(path)) {
    const earlier = (await readOrRefuse(copy))?.text
    if (earlier === undefined || !(await madeFrom(earlier))) continue
    await replaceUnchanged(path, Buffer.from(earlier), {
      before: Buffer.from(before),
      mode: (await stat(path)).mode & 0o777,
    })
    await rm(copy)
    return { path, isExact: true }
  }
  if (await madeFrom(undefined)) {
    await rm(path)
    return { path, isExact: true }
  }
  const text = await refusing(target, () => withoutMember(target, name))
  await write(target, text)
  return { path, isExact: false }
}

/** The copies that `write` made of a file, the newest first. */
async function copiesOf(path: string): Promise<string[]> {
  const names = await readdir(dirname(path)).catch((): string[] => [])
  const isCopy = (name: string) =>
    name.startsWith(`${basename(path)}.`) && /\.\d{8}T\d+\.bak$/.test(name)
  return names
    .filter(isCopy)
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name))
}

async function refusing<Result>(
  { path }: Target,
  work: () => Promise<Result>,
  remedy = '',
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw new AddError(
      'file_refused',
      `${path}: ${error.message}. The file was not changed.${remedy}`,
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

/** The file that a server is added to. */
interface Target {
  format: ConfigFormat
  /** Paths to the object with the servers; the last one is used if none exists. */
  paths: readonly (readonly string[])[]
  /** Real path, without links. */
  path: string
  before: string | undefined
}

/** The first existing file of a client, or the last possible one. @throws {AddError} */
async function findTarget(
  { name, format, target }: Client,
  scope: Scope,
  host: HostEnvironment,
): Promise<Target> {
  const locations = (await Promise.all(target(host, scope).map(matchingLocations))).flat()
  const last = locations.at(-1)
  if (last === undefined)
    throw new AddError('no_location', `${name} has no configuration file for a single folder.`)
  const pathsOf = ({ file }: ConfigLocation) =>
    locations.filter((location) => location.file === file).map(({ at }) => at)
  for (const location of locations) {
    const read = await readOrRefuse(location.file)
    if (read !== undefined)
      return { format, paths: pathsOf(location), path: read.path, before: read.text }
  }
  const { file } = last
  const link = await lstat(file).catch(() => undefined)
  if (link) throw new AddError('file_refused', `${file} is a link to a missing file.`)
  return { format, paths: pathsOf(last), path: file, before: undefined }
}

async function readOrRefuse(file: string) {
  try {
    return await readText(file)
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw new AddError('file_refused', `${file}: ${error.message}.`, error)
  }
}

const empty = { jsonc: '{}\n', toml: '', yaml: '' } as const

const textOf = ({ format, before }: Target): string => (before?.trim() ? before : empty[format])

/** The existing entry of a name. @throws {FileRefused} */
async function memberOf(target: Target, name: string): Promise<unknown> {
  const data = await readConfigText(target.format, textOf(target))
  return valueAt(data, [...pathIn(data, target), name])
}

/** The text of a file with an entry added or replaced. @throws {FileRefused} */
async function withMember(target: Target, name: string, entry: Table): Promise<string> {
  const text = textOf(target)
  const path = pathIn(await readConfigText(target.format, text), target)
  return editConfigText(target.format, text, path, {
    drop: new Set([name]),
    add: { [name]: entry },
  })
}

async function withoutMember(target: Target, name: string): Promise<string> {
  const text = textOf(target)
  const path = pathIn(await readConfigText(target.format, text), target)
  return editConfigText(target.format, text, path, { drop: new Set([name]), add: {} })
}

function pathIn(data: Table, { paths }: Target): readonly string[] {
  const path = paths.find((keys) => valueAt(data, keys) !== undefined) ?? paths.at(-1) ?? []
  const room = valueAt(data, path)
  if (room !== undefined && !isTable(room))
    throw new FileRefused(`${path.join('.')} is not an object`)
  return path
}

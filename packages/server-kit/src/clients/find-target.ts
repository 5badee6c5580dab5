import { lstat } from 'node:fs/promises'
import { type ConfigFormat, editConfigText, readConfigText } from '../files/config-text.ts'
import { FileRefused, readText } from '../files/read-text.ts'
import { isTable, type Table, valueAt } from '../files/table.ts'
import { AddError } from './add-error.ts'
import type { Client } from './entries/client.ts'
import {
  type ConfigLocation,
  type HostEnvironment,
  matchingLocations,
  type Scope,
} from './locations/location.ts'

/** The file that a server is added to. */
export interface Target {
  format: ConfigFormat
  /** Paths to the object with the servers; the last one is used if none exists. */
  paths: readonly (readonly string[])[]
  /** Real path, without links. */
  path: string
  before: string | undefined
}

/** The first existing file of a client, or the last possible one. @throws {AddError} */
export async function findTarget(
  { name, format, target }: Client,
  scope: Scope,
  host: HostEnvironment,
): Promise<Target> {
  const locations = (await Promise.all(target(host, scope).map(matchingLocations))).flat()
  const last = locations.at(-1)
  if (last === undefined)
    throw new AddError('no_location', `${name} has no configuration file for a single folder.`)
  const pathsOf = ({ file }: ConfigLocation) =>
    locations.filter((one) => one.file === file).map(({ at }) => at)
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

const empty = { jsonc: '{}\n', toml: '' } as const

const textOf = ({ format, before }: Target): string => (before?.trim() ? before : empty[format])

/** The existing entry of a name. @throws {FileRefused} */
export async function memberOf(target: Target, name: string): Promise<unknown> {
  const data = await readConfigText(target.format, textOf(target))
  return valueAt(data, [...pathIn(data, target), name])
}

/** The text of a file with an entry added or replaced. @throws {FileRefused} */
export async function withMember(target: Target, name: string, entry: Table): Promise<string> {
  const text = textOf(target)
  const path = pathIn(await readConfigText(target.format, text), target)
  return editConfigText(target.format, text, path, {
    drop: new Set([name]),
    add: { [name]: entry },
  })
}

function pathIn(data: Table, { paths }: Target): readonly string[] {
  const path = paths.find((one) => valueAt(data, one) !== undefined) ?? paths.at(-1) ?? []
  const room = valueAt(data, path)
  if (room !== undefined && !isTable(room))
    throw new FileRefused(`${path.join('.')} is not an object`)
  return path
}

import { lstat } from 'node:fs/promises'
import type { ConfigFormat } from '../files/config-text.ts'
import { FileRefused } from '../files/file-refused.ts'
import { readText } from '../files/read-text.ts'
import { AddError } from './add-error.ts'
import type { Client } from './entries/client.ts'
import type { ConfigLocation, HostEnvironment, Scope } from './locations/location.ts'
import { matchingLocations } from './locations/matching-locations.ts'

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

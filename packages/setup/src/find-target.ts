import { lstat } from 'node:fs/promises'
import type { Place, Scope, Surroundings } from './clients/client-files.ts'
import { type ClientName, clients } from './clients/clients.ts'
import { matchingPlaces } from './clients/matching-places.ts'
import { FileRefused } from './files/file-refused.ts'
import { readText } from './files/read-text.ts'
import { SetupError } from './setup-error.ts'

/** The file that a server is entered into. */
export interface Target {
  format: 'jsonc' | 'toml'
  /** Ways to the object with the servers, the last for files that have none. */
  ways: readonly (readonly string[])[]
  /** Where it really is, behind links. */
  path: string
  before: string | undefined
}

/** The first file of a client that is there, else the last that may be. @throws {SetupError} */
export async function findTarget(
  client: ClientName,
  scope: Scope,
  around: Surroundings,
): Promise<Target> {
  const { format, target } = clients[client]
  const places = (await Promise.all(target(around, scope).map(matchingPlaces))).flat()
  const last = places.at(-1)
  if (last === undefined)
    throw new SetupError(
      'no_place',
      scope === 'user'
        ? `${client} has no file for all folders of a user.`
        : `${client} has no file for one folder: enter it for all of them, --user.`,
    )
  const waysOf = ({ file }: Place) => places.filter((one) => one.file === file).map(({ at }) => at)
  for (const place of places) {
    const read = await readOrRefuse(place.file)
    if (read !== undefined)
      return { format, ways: waysOf(place), path: read.path, before: read.text }
  }
  const { file } = last
  const isLink = await lstat(file).then(
    () => true,
    () => false,
  )
  if (isLink) throw new SetupError('file_refused', `${file}: it is a link to nothing.`)
  return { format, ways: waysOf(last), path: file, before: undefined }
}

async function readOrRefuse(file: string) {
  try {
    return await readText(file)
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw new SetupError('file_refused', `${file}: ${error.message}.`, error)
  }
}

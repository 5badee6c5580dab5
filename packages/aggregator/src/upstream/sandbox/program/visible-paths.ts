import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { systemFolders } from '../machine/system-files.ts'
import type { SandboxedServer } from '../port/sandbox.ts'
import { isWithin } from './is-within.ts'
import { type Followed, linksOn } from './links-on.ts'
import type { ProgramFile } from './program-files.ts'

/** A file or folder that a server sees. */
export interface VisiblePath {
  /** As it was named. */
  path: string
  /** Without links. */
  real: string
  isWritable: boolean
}

/** Of the running system: what stands there is not files, and leads out. */
const closed = ['/proc', '/sys', '/dev']

/**
 * What is listed and where the program stands, outermost first.
 * @throws {Error} for what is not there, and what a server could have led elsewhere
 */
export async function visiblePaths(
  { cwd, sandbox }: Pick<SandboxedServer, 'cwd' | 'sandbox'>,
  program: readonly ProgramFile[],
): Promise<VisiblePath[]> {
  const followAll = (paths: readonly string[], what: string): Promise<Found[]> =>
    Promise.all(paths.map((path) => follow(path, what)))
  const writable = await followAll(sandbox.writes, 'sandbox.files.write')
  const listed = [...writable, ...(await followAll(sandbox.reads, 'sandbox.files.read'))]
  const own = cwd === undefined ? [] : [await follow(resolve(cwd), 'cwd')]
  const needed = await Promise.all(
    program.map(async ({ path, because }) => ({ ...(await follow(path, 'the program')), because })),
  )
  for (const found of [...listed, ...own]) {
    checkPlace(found)
    checkLinks(found, found.links, writable, [])
  }
  const trusted = [...[...listed, ...own].map(({ real }) => real), ...systemFolders]
  for (const found of needed)
    checkLinks(found, [...found.links, ...found.because], writable, trusted)
  const seen = new Map<string, VisiblePath>()
  for (const one of listed)
    if (!seen.has(one.path))
      seen.set(one.path, { path: one.path, real: one.real, isWritable: writable.includes(one) })
  for (const { path, real } of [...own, ...needed]) {
    const isSeen = [...seen.values()].some(
      (one) => isWithin(path, one.path) && isWithin(real, one.real),
    )
    if (!isSeen) seen.set(path, { path, real, isWritable: false })
  }
  return [...seen.values()].sort((one, other) => depth(one.path) - depth(other.path))
}

type Found = Followed & { path: string; what: string }

async function follow(path: string, what: string): Promise<Found> {
  try {
    return { ...(await linksOn(path)), path, what }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `${what} ${path} is not there: make it, or take it out of the list`
        : `${what} ${path} cannot be looked at (${code ?? String(error)})`,
      { cause: error },
    )
  }
}

function checkPlace({ path, real, what }: Found): void {
  const place = closed.find((folder) => isWithin(real, folder) || isWithin(path, folder))
  if (place !== undefined)
    throw new Error(
      `${what} ${path} is in ${place}, which is of the running system and stays closed`,
    )
  if (what !== 'sandbox.files.write') return
  if (real === '/' || isWithin(homedir(), real))
    throw new Error(
      `${what} ${path} holds the home folder: whoever writes there starts what they like; name folders in it`,
    )
}

/** What stands in a folder that the server writes to may be its own work, and must not lead further. */
function checkLinks(
  found: Found,
  signposts: readonly string[],
  writable: readonly Found[],
  trusted: readonly string[],
): void {
  for (const signpost of signposts) {
    const folder = writable.find(({ real }) => isWithin(signpost, real))
    const isFine = [...(folder ? [folder.real] : []), ...trusted].some((one) =>
      isWithin(found.real, one),
    )
    if (folder === undefined || isFine) continue
    throw new Error(
      `${signpost} leads out of ${folder.path} to ${found.real}, and the server could make it lead anywhere, since it writes there: name ${found.real} in sandbox.files.read if it is meant`,
    )
  }
}

const depth = (path: string): number => path.split(/[/\\]/).filter(Boolean).length

import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { systemFolders } from '../host/system-files.ts'
import type { SandboxedServer } from '../port/sandbox.ts'
import { findHidden } from './hidden-paths.ts'
import { isWithin } from './is-within.ts'
import { linksOn, type Subscription } from './links-on.ts'
import type { ProgramFile } from './program-files.ts'

/** A file or folder that a server can see. */
export interface VisiblePath {
  /** As configured. */
  path: string
  /** Without links. */
  real: string
  isWritable: boolean
}

/** Folders of the running system: they expose other processes and devices. */
const closed = ['/proc', '/sys', '/dev']

/**
 * Configured paths and the program's own files, outermost first.
 * @throws {Error} for missing paths, hidden ones, and paths that the server could redirect
 */
export async function visiblePaths(
  { cwd, sandbox }: Pick<SandboxedServer, 'cwd' | 'sandbox'>,
  program: readonly ProgramFile[],
): Promise<VisiblePath[]> {
  const followAll = (paths: readonly string[], what: string): Promise<Found[]> =>
    Promise.all(paths.map((path) => follow(path, what)))
  const writable = await followAll(sandbox.writes, 'sandbox.files.write')
  const configured = [...writable, ...(await followAll(sandbox.reads, 'sandbox.files.read'))]
  const cwdPaths = cwd === undefined ? [] : [await follow(resolve(cwd), 'cwd')]
  const needed = await Promise.all(
    program.map(async ({ path, because }) => ({ ...(await follow(path, 'the program')), because })),
  )
  const hidden = await findHidden(sandbox.hidden ?? [])
  for (const place of [...configured, ...cwdPaths, ...needed])
    checkHidden(
      place,
      hidden.map(({ path }) => path),
    )
  for (const place of [...configured, ...cwdPaths]) {
    checkPlace(place)
    checkLinks(place, place.links, writable, [])
  }
  const trusted = [...[...configured, ...cwdPaths].map(({ real }) => real), ...systemFolders]
  for (const place of needed)
    checkLinks(place, [...place.links, ...place.because], writable, trusted)
  const byPath = new Map<string, VisiblePath>()
  for (const location of configured)
    if (!byPath.has(location.path))
      byPath.set(location.path, {
        path: location.path,
        real: location.real,
        isWritable: writable.includes(location),
      })
  for (const { path, real } of [...cwdPaths, ...needed]) {
    const isSeen = [...byPath.values()].some(
      (parent) => isWithin(path, parent.path) && isWithin(real, parent.real),
    )
    if (!isSeen) byPath.set(path, { path, real, isWritable: false })
  }
  return [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path))
}

type Found = Subscription & { path: string; what: string }

async function follow(path: string, what: string): Promise<Found> {
  try {
    return { ...(await linksOn(path)), path, what }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `${what} ${path} does not exist: create it, or remove it from the list`
        : `${what} ${path} cannot be read (${code ?? String(error)})`,
      { cause: error },
    )
  }
}

function checkPlace({ path, real, what }: Found): void {
  const place = closed.find((folder) => isWithin(real, folder) || isWithin(path, folder))
  if (place !== undefined)
    throw new Error(
      `${what} ${path} is in ${place}, which belongs to the running system and cannot be opened to a server`,
    )
  if (what !== 'sandbox.files.write') return
  if (real === '/' || isWithin(homedir(), real))
    throw new Error(
      `${what} ${path} contains the home folder: a process that writes there can start any program; list folders inside it instead`,
    )
}

function checkHidden({ path, real, what }: Found, hidden: readonly string[]): void {
  const isWritten = what === 'sandbox.files.write'
  const isIn = (target: string): boolean => isWithin(real, target) || isWithin(path, target)
  const conflict = hidden.find((target) => isIn(target) || (isWritten && isWithin(target, real)))
  if (conflict === undefined) return
  throw new Error(
    `${what} ${path} ${isIn(conflict) ? 'is part of' : 'contains'} ${conflict}, which belongs to the aggregator (its configuration, state, journal or secrets) and cannot be opened to a server`,
  )
}

/**
 * Links in a folder that the server can write to may be its own work and must not lead out of it.
 */
function checkLinks(
  place: Found,
  signposts: readonly string[],
  writable: readonly Found[],
  trusted: readonly string[],
): void {
  for (const signpost of signposts) {
    const folder = writable.find(({ real }) => isWithin(signpost, real))
    const isFine = [...(folder ? [folder.real] : []), ...trusted].some((root) =>
      isWithin(place.real, root),
    )
    if (folder === undefined || isFine) continue
    throw new Error(
      `${signpost} leads out of ${folder.path} to ${place.real}, and the server could redirect it, since it can write there: add ${place.real} to sandbox.files.read if this is intended`,
    )
  }
}

const depth = (path: string): number => path.split(/[/\\]/).filter(Boolean).length

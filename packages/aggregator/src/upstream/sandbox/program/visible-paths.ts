import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { systemFolders } from '../host/system-files.ts'
import type { SandboxedServer } from '../port/sandbox.ts'
import { findHidden } from './hidden-paths.ts'
import { isWithin } from './is-within.ts'
import { type Followed, linksOn } from './links-on.ts'
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
  const listed = [...writable, ...(await followAll(sandbox.reads, 'sandbox.files.read'))]
  const own = cwd === undefined ? [] : [await follow(resolve(cwd), 'cwd')]
  const needed = await Promise.all(
    program.map(async ({ path, because }) => ({ ...(await follow(path, 'the program')), because })),
  )
  const hidden = await findHidden(sandbox.hidden ?? [])
  for (const found of [...listed, ...own, ...needed])
    checkHidden(
      found,
      hidden.map(({ path }) => path),
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
  const isIn = (one: string): boolean => isWithin(real, one) || isWithin(path, one)
  const own = hidden.find((one) => isIn(one) || (isWritten && isWithin(one, real)))
  if (own === undefined) return
  throw new Error(
    `${what} ${path} ${isIn(own) ? 'is part of' : 'contains'} ${own}, which belongs to the aggregator (its configuration, state, journal or secrets) and cannot be opened to a server`,
  )
}

/**
 * Links in a folder that the server can write to may be its own work and must not lead out of it.
 */
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
      `${signpost} leads out of ${folder.path} to ${found.real}, and the server could redirect it, since it can write there: add ${found.real} to sandbox.files.read if this is intended`,
    )
  }
}

const depth = (path: string): number => path.split(/[/\\]/).filter(Boolean).length

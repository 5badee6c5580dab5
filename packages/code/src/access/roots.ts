import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CodeError } from '../code-error.ts'
import { isSecret } from './secrets.ts'

/** The folders that may be read, and the names of files in them. */
export interface Roots {
  /** Real paths. */
  readonly folders: readonly string[]
  /**
   * The real path of a file or folder below one of them. A relative path is looked up in each.
   *
   * @throws {CodeError} `not_found`; `not_allowed` if the path leads outside, by links too, or
   * where secrets are kept.
   */
  resolve(path: string): Promise<string>
  /** How a real path is named: from the first root, else whole; with `/`. */
  nameOf(path: string): string
}

/** @throws {CodeError} `not_found` for a root that is no folder. */
export async function openRoots(paths: readonly string[]): Promise<Roots> {
  const folders = await Promise.all(paths.map(openRoot))
  const [first = ''] = folders
  return {
    folders,
    resolve: (path) => resolveIn(path, folders),
    nameOf(path) {
      const name = isInside(path, first) ? relative(first, path) : path
      return sep === '/' ? name || '.' : name.replaceAll(sep, '/') || '.'
    },
  }
}

async function openRoot(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined && (await stat(real)).isDirectory()) return real
  throw new CodeError(
    'not_found',
    `There is no folder ${JSON.stringify(path)}.`,
    'Pass a folder of source files.',
  )
}

async function resolveIn(path: string, roots: readonly string[]): Promise<string> {
  const given = path.startsWith('file://') ? fromUrl(path) : path.replaceAll('\0', '')
  const candidates = isAbsolute(given)
    ? [resolve(given)]
    : roots.map((root) => resolve(root, given))
  let isOutside = false
  for (const candidate of candidates) {
    const { real, exists } = await nearestReal(candidate)
    const root = roots.find((folder) => isInside(real, folder))
    if (root === undefined) isOutside = true
    else if (exists) {
      // Both what was asked for and what it leads to: a link is no way round.
      if (isSecret(relative(root, real)) || isSecret(relative(root, candidate)))
        throw new CodeError(
          'not_allowed',
          `${JSON.stringify(path)} looks like a file of secrets, which are not read.`,
          'Read another file.',
        )
      return real
    }
  }
  // Whether something exists outside the roots is not for the caller to find out.
  if (isOutside)
    throw new CodeError(
      'not_allowed',
      `${JSON.stringify(path)} is outside the folders that may be read.`,
      `Pass a path below ${roots.join(' or ')}.`,
    )
  throw new CodeError(
    'not_found',
    `There is no file ${JSON.stringify(path)}.`,
    'Look for it by a part of its name.',
  )
}

function fromUrl(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return url
  }
}

/** The real path, or that of the nearest folder above it that exists. */
async function nearestReal(path: string): Promise<{ real: string; exists: boolean }> {
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined)
    if (real !== undefined) return { real, exists: at === path }
    if (at === dirname(at)) return { real: at, exists: false }
  }
}

export function isInside(path: string, root: string): boolean {
  const way = relative(root, path)
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

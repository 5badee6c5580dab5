import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { attempt } from '#base/attempt'
import { isInside, nearestReal } from '#base/inside-folder'
import { CodeError } from '../code-error.ts'
import { isSecret } from './secret-files.ts'

/** The folders that may be read, and the names of files in them. */
export interface Roots {
  /** Real paths. */
  readonly folders: readonly string[]
  /**
   * The real path of a file or folder below one of the folders. A relative path is tried against
   * each.
   *
   * @throws {CodeError} `not_found`; `not_allowed` if the path leads outside, also through links,
   * or to a secret.
   */
  resolve(path: string): Promise<string>
  /** The name of a real path: relative to the first folder, else absolute; with `/`. */
  nameOf(path: string): string
}

/** @throws {CodeError} `not_found` for a root that is not a folder. */
export async function openRoots(paths: readonly string[]): Promise<Roots> {
  return rootsOf(await Promise.all(paths.map(openRoot)))
}

/** Folders whose real paths are known. */
export function rootsOf(folders: readonly string[]): Roots {
  const [first = ''] = folders
  // The folder is the beginning of most paths: to compute a relative path takes ten times as long.
  const prefix = first.endsWith(sep) ? first : first + sep
  return {
    folders,
    resolve: (path) => resolveIn(path, folders),
    nameOf(path) {
      const isBelow = path.startsWith(prefix)
      if (isBelow && sep === '/') return path.slice(prefix.length) || '.'
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
  const requested = path.startsWith('file://') ? fromUrl(path) : path.replaceAll('\0', '')
  const candidates = isAbsolute(requested)
    ? [resolve(requested)]
    : roots.map((root) => resolve(root, requested))
  let isOutside = false
  for (const candidate of candidates) {
    const { real, exists } = await nearestReal(candidate)
    const root = roots.find((folder) => isInside(real, folder))
    if (root === undefined) isOutside = true
    else if (exists) {
      // Checks the path and its target, so that a link does not bypass the rule.
      if (isSecret(relative(root, real)) || isSecret(relative(root, candidate)))
        throw new CodeError(
          'not_allowed',
          `${JSON.stringify(path)} may contain secrets and is not read.`,
          'Read another file.',
        )
      return real
    }
  }
  // The same error for all paths outside the roots: it must not reveal whether a file exists there.
  if (isOutside)
    throw new CodeError(
      'not_allowed',
      `${JSON.stringify(path)} is outside the folders that may be read.`,
      `Pass a path below ${roots.join(' or ')}.`,
    )
  throw new CodeError(
    'not_found',
    `There is no file ${JSON.stringify(path)}.`,
    'Find it by a part of its name.',
  )
}

const fromUrl = (url: string): string => attempt(() => fileURLToPath(url), url)

/** True for files of tests, by their paths. */
export const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*\.(?:py|rb|cc?|cpp)$|Tests?\.\w+$/.test(
    path,
  )

import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { DocsError } from '../docs-error.ts'
import { quoteValue } from '../quote-value.ts'

/**
 * The real path of a file below one of the roots. A relative path is looked up in each of them.
 *
 * @throws {DocsError} `not_found`, or `not_allowed` when the path leads outside, by links too.
 */
export async function resolvePath(path: string, roots: readonly string[]): Promise<string> {
  if (roots.length === 0)
    throw new DocsError(
      'not_allowed',
      `${quoteValue(path)} is a local path, and no folder was opened for reading.`,
      'Start the server with the folder as a source, or pass an https:// URL.',
    )
  const candidates = isAbsolute(path) ? [path] : roots.map((root) => resolve(root, path))
  let outside = false
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => undefined)
    if (real === undefined) continue
    if (roots.some((root) => isInside(real, root))) return real
    outside = true
  }
  // Whether a file exists outside the roots is not for the caller to find out.
  if (outside || candidates.every((candidate) => !roots.some((root) => isInside(candidate, root))))
    throw new DocsError(
      'not_allowed',
      `${quoteValue(path)} is outside the folders this server may read.`,
      'Pass a path below a source folder, as search results give it.',
    )
  throw new DocsError(
    'not_found',
    `There is no file ${quoteValue(path)} in the source folders.`,
    'Check the path, or search for the page.',
  )
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

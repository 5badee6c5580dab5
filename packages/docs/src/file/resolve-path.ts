import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'

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
  const candidates = spellings(path).flatMap((spelling) =>
    isAbsolute(spelling) ? [spelling] : roots.map((root) => resolve(root, spelling)),
  )
  let outside = false
  for (const candidate of candidates) {
    const { real, exists } = await nearestReal(candidate)
    if (!roots.some((root) => isInside(real, root))) outside = true
    else if (exists) return real
  }
  // Whether a file exists outside the roots is not for the caller to find out.
  if (outside)
    throw new DocsError(
      'not_allowed',
      `${quoteValue(path)} is outside the folders that may be read.`,
      'Pass a path below a source folder, as search results give it.',
    )
  throw new DocsError(
    'not_found',
    `There is no file ${quoteValue(path)} in the source folders.`,
    'Check the path, or search for the page.',
  )
}

/** The real path, or that of the nearest folder above it that exists. */
async function nearestReal(path: string): Promise<{ real: string; exists: boolean }> {
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined)
    if (real !== undefined) return { real, exists: at === path }
    if (at === dirname(at)) return { real: at, exists: false }
  }
}

/** A path decoded, if it is percent-encoded as search results are, and as it is. */
function spellings(path: string): string[] {
  if (path.includes('\0')) return [path.replaceAll('\0', '')]
  try {
    return [...new Set([decodeURIComponent(path), path])].filter((name) => !name.includes('\0'))
  } catch {
    return [path]
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

import { isAbsolute, resolve } from 'node:path'
import { decoded } from '#base/decoded'
import { isInside, nearestReal } from '#base/inside-folder'
import { DocsError, quoteValue } from '#formats/docs-error'

/**
 * The real path of a file below one of the roots. A relative path is tried against each of them.
 *
 * @throws {DocsError} `not_found`, or `not_allowed` if the path leads outside the roots, also
 * through links.
 */
export async function resolvePath(path: string, roots: readonly string[]): Promise<string> {
  if (roots.length === 0)
    throw new DocsError(
      'not_allowed',
      `${quoteValue(path)} is a local path, and no folder is configured as a source.`,
      'Pass the whole URL, beginning with https://, or configure the folder as a source.',
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
  // The same error for all paths outside the roots: it must not reveal whether a file exists there.
  if (outside)
    throw new DocsError(
      'not_allowed',
      `${quoteValue(path)} is outside the folders that may be read.`,
      'Pass a path below a source folder, as in search results.',
    )
  throw new DocsError(
    'not_found',
    `There is no file ${quoteValue(path)} in the source folders.`,
    'Check the path, or search for the page.',
  )
}

/** The path percent-decoded, as search results encode it, and unchanged. */
function spellings(path: string): string[] {
  if (path.includes('\0')) return [path.replaceAll('\0', '')]
  return [...new Set([decoded(path), path])].filter((name) => !name.includes('\0'))
}

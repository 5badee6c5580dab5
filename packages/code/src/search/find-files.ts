import type { Roots } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
import { globMatcher, isGlob } from './glob.ts'
import { type Listing, listFiles } from './list-files.ts'

/** In characters; longer patterns are rejected, because matching takes time. */
const maxPatternLength = 512

/**
 * Files that match a pattern, best first: a glob (`src/*.ts`), else a part of a name or path; if
 * nothing matches, files that contain its letters in order. Only matches count against the limit of
 * a listing.
 *
 * @throws {CodeError} `bad_argument` for an empty or a long pattern.
 */
export async function findFilesIn(
  roots: Roots,
  pattern: string,
  maxFiles: number | undefined,
): Promise<{ listing: Listing; found: string[] }> {
  checkPattern(pattern)
  const plainPattern = pattern.trim().replace(/^\.\//, '')
  const lower = plainPattern.toLowerCase()
  const list = async (accept: (name: string) => boolean) => {
    const listing = await listFiles(roots, {
      maxFiles,
      accept: (path) => accept(roots.nameOf(path)),
    })
    return { listing, names: listing.files.map(roots.nameOf) }
  }
  if (isGlob(plainPattern)) {
    const matches = globMatcher(plainPattern)
    const { listing, names } = await list((name) => name.includes(plainPattern) || matches(name))
    // A file name may contain glob characters: an exact name wins.
    if (names.length > 0 && !names.some((name) => name.includes(plainPattern)))
      return { listing, found: names }
  }
  const { listing, names } = await list((name) => name.toLowerCase().includes(lower))
  if (names.length > 0) return { listing, found: rankFiles(names, lower) }
  const loose = await list((name) => hasInOrder(name.toLowerCase(), lower))
  return { listing: loose.listing, found: isGlob(plainPattern) ? [] : loose.names }
}

function checkPattern(pattern: string): void {
  const isEmpty = pattern.trim() === ''
  if (isEmpty || pattern.length > maxPatternLength)
    throw new CodeError(
      'bad_argument',
      isEmpty ? 'The pattern is empty.' : `The pattern has ${pattern.length} characters.`,
      `Pass a glob or a part of a name, of 1 to ${maxPatternLength} characters.`,
    )
}

function rankFiles(names: readonly string[], lower: string): string[] {
  const ranked = names.map((name) => ({ name, rank: rankOf(name.toLowerCase(), lower) }))
  ranked.sort((one, other) => one.rank - other.rank || one.name.length - other.name.length)
  return ranked.map(({ name }) => name)
}

function rankOf(path: string, plainPattern: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (path === plainPattern || name === plainPattern) return 0
  if (path.endsWith(`/${plainPattern}`)) return 1
  if (name.replace(/\.[^.]*$/, '') === plainPattern) return 2
  if (name.startsWith(plainPattern)) return 3
  if (name.includes(plainPattern)) return 4
  return 5
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return letters !== ''
}

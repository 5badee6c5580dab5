import type { Roots } from '../access/roots.ts'
import { globMatcher } from './glob.ts'
import { type Listing, listFiles } from './list-files.ts'

/** Longer patterns are a mistake, or an attempt to keep the matcher busy. */
export const longestPattern = 512

/**
 * Files that a pattern means, by their names, best first: a glob (`src/*.ts`), else part of a name or
 * path; the letters of one in their order, if nothing has it as it is. Only these count against the
 * limit of a listing.
 */
export async function findFilesIn(
  roots: Roots,
  pattern: string,
  maxFiles: number | undefined,
): Promise<{ listing: Listing; found: string[] }> {
  const wanted = pattern.trim().replace(/^\.\//, '')
  const lower = wanted.toLowerCase()
  const limits = maxFiles === undefined ? {} : { maxFiles }
  const list = async (accept: (name: string) => boolean) => {
    const options = { ...limits, accept: (path: string) => accept(roots.nameOf(path)) }
    const listing = await listFiles(roots, options)
    return { listing, names: listing.files.map(roots.nameOf) }
  }
  if (isGlob(wanted)) {
    const matches = globMatcher(wanted)
    const { listing, names } = await list((name) => name.includes(wanted) || matches(name))
    // Names may have the signs of a glob: that which is called so is meant.
    if (names.length > 0 && !names.some((name) => name.includes(wanted)))
      return { listing, found: names }
  }
  const { listing, names } = await list((name) => name.toLowerCase().includes(lower))
  if (names.length > 0) return { listing, found: rankFiles(names, lower) }
  const loose = await list((name) => hasInOrder(name.toLowerCase(), lower))
  return { listing: loose.listing, found: isGlob(wanted) ? [] : loose.names }
}

function rankFiles(names: readonly string[], lower: string): string[] {
  const ranked = names.map((name) => ({ name, rank: rankOf(name.toLowerCase(), lower) }))
  ranked.sort((one, other) => one.rank - other.rank || one.name.length - other.name.length)
  return ranked.map(({ name }) => name)
}

export const isGlob = (pattern: string): boolean => /[*?[\]{}]/.test(pattern)

function rankOf(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (path === wanted || name === wanted) return 0
  if (path.endsWith(`/${wanted}`)) return 1
  if (name.replace(/\.[^.]*$/, '') === wanted) return 2
  if (name.startsWith(wanted)) return 3
  if (name.includes(wanted)) return 4
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

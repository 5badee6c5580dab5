import { globMatcher } from './glob.ts'

/** Longer patterns are a mistake, or an attempt to keep the matcher busy. */
export const longestPattern = 512

/**
 * Names of files that a pattern means, best first: a glob (`src/*.ts`), else part of a name or path; the letters of one in their order, if nothing has it as it is.
 */
export function matchFiles(pattern: string, names: readonly string[]): string[] {
  const wanted = pattern.trim().replace(/^\.\//, '')
  const isLiteral = names.some((name) => name.includes(wanted))
  if (isGlob(wanted) && !isLiteral) return names.filter(globMatcher(wanted))
  const lower = wanted.toLowerCase()
  const ranked = names
    .map((name) => ({ name, rank: rankOf(name.toLowerCase(), lower) }))
    .filter(({ rank }) => rank < worst)
  ranked.sort((one, other) => one.rank - other.rank || one.name.length - other.name.length)
  if (ranked.length > 0) return ranked.map(({ name }) => name)
  return names.filter((name) => hasInOrder(name.toLowerCase(), lower))
}

export const isGlob = (pattern: string): boolean => /[*?[\]{}]/.test(pattern)

const worst = 6

function rankOf(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (path === wanted || name === wanted) return 0
  if (path.endsWith(`/${wanted}`)) return 1
  if (name.replace(/\.[^.]*$/, '') === wanted) return 2
  if (name.startsWith(wanted)) return 3
  if (name.includes(wanted)) return 4
  return path.includes(wanted) ? 5 : worst
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return letters !== ''
}

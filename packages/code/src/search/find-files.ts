import type { Roots } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
import type { Account } from './account.ts'
import { globMatcher, isGlob } from './glob.ts'
import { defaultMaxFiles, listFiles } from './list-files.ts'

/** In characters; longer patterns are rejected, because matching takes time. */
const maxPatternLength = 512

/** Names of files that match a pattern, best first, and what the listing left out. */
export interface FoundNames {
  names: readonly string[]
  account: Account
}

/** The names of all files below the roots. */
export interface NamedFiles {
  names: readonly string[]
  lowerNames: readonly string[]
  /** Those of files that are left out. */
  ignored: readonly string[]
  account: Account
}

/** Lists all files; `onFolder` is called before a folder is read. */
export function listNames(roots: Roots, onFolder: (path: string) => void): NamedFiles {
  const ignored: string[] = []
  const { files, account } = listFiles(roots, {
    // Files that do not match do not take the places of those that do.
    maxFiles: Number.POSITIVE_INFINITY,
    onFolder,
    onIgnored: (path) => ignored.push(roots.nameOf(path)),
  })
  const names = files.map(roots.nameOf)
  return { names, lowerNames: names.map((name) => name.toLowerCase()), ignored, account }
}

/**
 * Files that match a pattern, best first: a glob (`src/*.ts`), else a part of a name or path; if
 * nothing matches, files that contain its letters in order.
 *
 * @throws {CodeError} `bad_argument` for an empty, a long or a complex pattern.
 */
export function findNames(
  { names, lowerNames, ignored, account }: NamedFiles,
  pattern: string,
  maxFiles: number = defaultMaxFiles,
): FoundNames {
  checkPattern(pattern)
  const plainPattern = pattern.trim().replace(/^\.\//, '')
  const lower = plainPattern.toLowerCase()
  const matchesGlob = isGlob(plainPattern) ? globMatcher(plainPattern) : undefined
  const isLoose = (name: string): boolean =>
    matchesGlob ? matchesGlob(name) : hasInOrder(name.toLowerCase(), lower)
  const matches = names.filter((_, at) => lowerNames[at]?.includes(lower))
  // A file name may contain glob characters: an exact name wins.
  const isByName = matchesGlob
    ? matches.some((name) => name.includes(plainPattern))
    : matches.length > 0
  const found = isByName ? rankFiles(matches, lower) : names.filter(isLoose)
  const best = found.length > 0 ? found : rankFiles(matches, lower)
  const isOther = (name: string): boolean => !name.toLowerCase().includes(lower) && !isLoose(name)
  return {
    names: best.slice(0, maxFiles),
    account: {
      ...account,
      ignored: account.ignored - ignored.filter(isOther).length,
      searched: best.length,
      isCut: account.isCut || best.length > maxFiles,
    },
  }
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
  ranked.sort((a, b) => a.rank - b.rank || a.name.length - b.name.length)
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

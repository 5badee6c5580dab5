import type { Roots } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
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

export const isGlob = (pattern: string): boolean => /[*?[\]{}]/.test(pattern)

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

/** Maximum number of alternatives; a pattern with more is not expanded. */
const maxAlternatives = 64

/**
 * Create a matcher for a glob: `*` and `?` within a name, `**` across folders, `[a-z]`, `{a,b}`.
 * Ignores case; a pattern without `/` matches the file name only. The time is at most proportional
 * to the lengths of pattern and path, because patterns are untrusted.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const isName = !pattern.includes('/')
  const alternatives = expandBraces(pattern.toLowerCase()).map((one) =>
    one.split('/').map(compileSegment),
  )
  return (path) => {
    const parts = path.toLowerCase().split('/')
    const own = isName ? parts.slice(-1) : parts
    return alternatives.some((segments) =>
      matchAll(segments, own, matchSegment, (segment) => segment === anyFolders),
    )
  }
}

type Sign = string | ((char: string) => boolean)
type Segment = readonly Sign[] | typeof anyFolders

const anyFolders = Symbol('**')
const anySigns = '*'

function compileSegment(text: string): Segment {
  if (text === '**') return anyFolders
  const signs: Sign[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    const close = char === '[' ? text.indexOf(']', at + 2) : -1
    if (char === '*') {
      if (signs.at(-1) !== anySigns) signs.push(anySigns)
    } else if (char === '?') signs.push(() => true)
    else if (close > 0) {
      signs.push(charClass(text.slice(at + 1, close)))
      at = close
    } else signs.push((other) => other === char)
  }
  return signs
}

function charClass(text: string): (char: string) => boolean {
  const isNot = /^[!^]/.test(text)
  const set = isNot ? text.slice(1) : text
  const has = (char: string): boolean => {
    for (let at = 0; at < set.length; at++) {
      const first = set[at] as string
      const last = set[at + 1] === '-' ? set[at + 2] : undefined
      if (last !== undefined ? char >= first && char <= last : char === first) return true
      if (last !== undefined) at += 2
    }
    return false
  }
  return (char) => has(char) !== isNot
}

const matchSegment = (segment: Segment, name: string): boolean =>
  segment !== anyFolders &&
  matchAll(
    segment,
    [...name],
    (one, char) => typeof one === 'function' && one(char),
    (one) => one === anySigns,
  )

/**
 * Match a pattern against items, where a wildcard stands for any number of items. Backtracks to the
 * last wildcard only.
 */
function matchAll<S, I>(
  signs: readonly S[],
  items: readonly I[],
  matches: (char: S, item: I) => boolean,
  isAny: (char: S) => boolean,
): boolean {
  let char = 0
  let item = 0
  let any = -1
  let taken = 0
  while (item < items.length) {
    const current = signs[char]
    if (current !== undefined && isAny(current)) {
      any = char++
      taken = item
    } else if (current !== undefined && matches(current, items[item] as I)) {
      char++
      item++
    } else if (any >= 0) {
      char = any + 1
      item = ++taken
    } else return false
  }
  while (char < signs.length && isAny(signs[char] as S)) char++
  return char === signs.length
}

function expandBraces(pattern: string): string[] {
  const [, before = '', inner = '', after = ''] =
    /^([^{}]*)\{([^{}]*)\}([\s\S]*)$/.exec(pattern) ?? []
  if (inner === '') return [pattern]
  const all = inner.split(',').flatMap((part) => expandBraces(before + part + after))
  return all.length > maxAlternatives ? [pattern] : all
}

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

/** Alternatives that braces of a pattern make; more are left as they are. */
const mostAlternatives = 64

/**
 * Tells whether a path matches a glob: `*` and `?` within a name, `**` across folders, `[a-z]`,
 * `{a,b}`. Case does not matter; a pattern without a `/` is for the name alone. The time grows with
 * the length of the pattern times that of the path, never more: patterns come from strangers.
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
    (sign, char) => typeof sign === 'function' && sign(char),
    (sign) => sign === anySigns,
  )

/** Signs against items, where some signs stand for any number of items: the last of these gives way. */
function matchAll<S, I>(
  signs: readonly S[],
  items: readonly I[],
  matches: (sign: S, item: I) => boolean,
  isAny: (sign: S) => boolean,
): boolean {
  let sign = 0
  let item = 0
  let any = -1
  let taken = 0
  while (item < items.length) {
    const current = signs[sign]
    if (current !== undefined && isAny(current)) {
      any = sign++
      taken = item
    } else if (current !== undefined && matches(current, items[item] as I)) {
      sign++
      item++
    } else if (any >= 0) {
      sign = any + 1
      item = ++taken
    } else return false
  }
  while (sign < signs.length && isAny(signs[sign] as S)) sign++
  return sign === signs.length
}

function expandBraces(pattern: string): string[] {
  const [, before = '', inner = '', after = ''] =
    /^([^{}]*)\{([^{}]*)\}([\s\S]*)$/.exec(pattern) ?? []
  if (inner === '') return [pattern]
  const all = inner.split(',').flatMap((part) => expandBraces(before + part + after))
  return all.length > mostAlternatives ? [pattern] : all
}

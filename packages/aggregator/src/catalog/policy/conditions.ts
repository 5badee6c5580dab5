import type { FindPattern } from '#servers/config/permission-patterns'
import type { Condition, ValueTest } from '#servers/config/permission-settings'
import type { ToolHints } from '#servers/config/tool-hints'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { folded } from './patterns.ts'

/**
 * Whether a value meets a condition; undefined if a server may read it so that it does, or does not.
 * Denials and questions count undefined as met, permissions as not met.
 */
export type Verdict = boolean | undefined

/** Characters of a value that is tested; a longer one cannot be judged. */
const maxLength = 10_000
/** Values that one path may lead to. */
const maxValues = 1_000

/** Judges arguments by the conditions of a rule. `isAllowing`: all values of a path must meet theirs. */
export function judgeParams(
  conditions: Readonly<Record<string, Condition>>,
  args: unknown,
  isAllowing: boolean,
  find: FindPattern,
): Verdict {
  return all(
    Object.entries(conditions).map(([path, condition]) => {
      const { values, isOdd } = valuesAt(args, stepsOf(path))
      if (values.length > maxValues) return undefined
      if (values.length === 0 && !isOdd) return isNegation(condition)
      const verdicts = values.map((value) => judge(value, condition, find))
      if (isOdd) verdicts.push(undefined)
      return isAllowing ? all(verdicts) : any(verdicts)
    }),
  )
}

/** False if one is, undefined if one cannot be judged. */
const all = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true

const any = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.includes(true) ? true : verdicts.includes(undefined) ? undefined : false

const opposite = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict)

/** A value that is absent meets only what says how values must not be. */
const isNegation = (condition: Condition): boolean =>
  isJsonObject(condition) && Object.keys(condition).every((key) => key === 'not')

/** `a.b`, `a[0]`, `a[*]`, `a["b.c"]`. */
export const stepsOf = (path: string): string[] =>
  [...path.matchAll(/\["([^"]*)"\]|\[(\d+|\*)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted ?? index ?? name ?? '',
  )

/** What a path leads to. `isOdd` if a server may read more from the arguments. */
function valuesAt(value: unknown, steps: readonly string[]): { values: unknown[]; isOdd: boolean } {
  let values: unknown[] = [value]
  let isOdd = false
  for (const step of steps) {
    if (values.length > maxValues) break
    isOdd ||= values.some((holder) => mayHold(holder, step))
    values = values.flatMap((holder) => {
      if (typeof holder !== 'object' || holder === null) return []
      if (step === '*') return Object.values(holder)
      return Object.hasOwn(holder, step) ? [(holder as JsonObject)[step]] : []
    })
  }
  return { values, isOdd }
}

/** Servers may read JSON in texts, one value as a list and reverse, and names in any case. */
function mayHold(holder: unknown, step: string): boolean {
  if (holder === undefined || holder === null) return false
  if (typeof holder !== 'object') return true
  if (Array.isArray(holder)) return holder.length > 0 && !/^(?:\d+|\*)$/.test(step)
  return Object.keys(holder).some((key) => key !== step && loose(key) === loose(step))
}

/** Judges one value. */
export function judge(value: unknown, condition: Condition, find: FindPattern): Verdict {
  // It is sent as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined
  if (!isJsonObject(condition)) return judgeEqual(value, condition)
  const { not, ...tests } = condition as Exclude<Condition, null | string | number | boolean>
  const verdicts = [judgeTests(value, tests, find)]
  if (not !== undefined) verdicts.push(opposite(judgeTests(value, not, find)))
  return all(verdicts)
}

function judgeTests(value: unknown, tests: ValueTest, find: FindPattern): Verdict {
  const { equals, prefix, below, min, max, matches } = tests
  const verdicts: Verdict[] = []
  if (equals !== undefined)
    verdicts.push(any([equals].flat().map((expected) => judgeEqual(value, expected))))
  if (prefix !== undefined) verdicts.push(judgePrefix(value, prefix))
  if (below !== undefined) verdicts.push(judgeBelow(value, below))
  if (min !== undefined) verdicts.push(judgeNumber(value, (number) => number >= min))
  if (max !== undefined) verdicts.push(judgeNumber(value, (number) => number <= max))
  if (matches !== undefined) verdicts.push(isText(value) ? find(matches, value) : undefined)
  return all(verdicts)
}

/** What a text is after NUL, one server reads and another does not. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxLength && !value.includes('\0')

/** A server may read `"1"` as 1, ` Main` as `main`, and whatever is not empty as true. */
function judgeEqual(value: unknown, expected: unknown): Verdict {
  if (value === expected) return true
  if (typeof value === 'object' && value !== null) return undefined
  if (typeof expected === 'boolean')
    return typeof value === 'string' || Boolean(value) === expected ? undefined : false
  const isOfNumbers = typeof value === 'number' || typeof expected === 'number'
  const isSame = (read: (text: string) => unknown) => read(`${value}`) === read(`${expected}`)
  const isAlike = isSame(loose) || (isOfNumbers && (isSame(Number) || isSame(Number.parseFloat)))
  return isAlike || (value === true && expected === 1) ? undefined : false
}

/** Without what servers and file systems may not tell apart. */
const loose = (text: string): string => folded(text.normalize('NFKC').replace(/\p{C}/gu, '').trim())

/** Segments that lead out of what a text begins with, also if they are decoded twice. */
export const leadsOut =
  /(?:^|[\\/]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){2}(?:$|[\\/?#]|%(?:25)*(?:2f|5c))/i

function judgePrefix(value: unknown, prefix: string): Verdict {
  if (!isText(value)) return undefined
  const segment = prefix.search(/[^\\/]*$/)
  if (value.startsWith(prefix)) return leadsOut.test(loose(value.slice(segment))) ? undefined : true
  return loose(value).startsWith(loose(prefix)) ? undefined : false
}

function judgeNumber(value: unknown, isWithin: (number: number) => boolean): Verdict {
  if (typeof value === 'number') return isWithin(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isNaN(number) || isWithin(number) ? undefined : false
}

/** A path is read as each kind of server may read it; where they differ it cannot be judged. */
function judgeBelow(value: unknown, folder: string): Verdict {
  if (!isText(value)) return undefined
  const isBelow = (path: string, root: string): boolean =>
    path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`)
  const root = normalized(folder)
  const paths = readingsOf(value).map(normalized)
  if (root === undefined || !paths.every((path) => path !== undefined)) return undefined
  if (paths.every((path) => isBelow(path, root))) return true
  const isOnDrive = isDrive(root)
  if (isOnDrive && /^[\\/]{2}/.test(value)) return undefined
  // Without a drive, a path is on the current one.
  const onDrive = (path: string) => (isOnDrive && !isDrive(path) ? root.slice(0, 2) + path : path)
  return paths.some((path) => isBelow(loose(onDrive(path)), loose(root))) ? undefined : false
}

const isDrive = (path: string): boolean => /^[a-z]:/i.test(path)

function readingsOf(text: string): string[] {
  const path = text.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '')
  const slashed = path.replaceAll('\\', '/')
  const once = decoded(slashed)
  return [...new Set([path, slashed, decoded(path), once, decoded(once)])]
}

/** As lenient servers decode: what cannot be decoded stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%[0-7][\da-f]/gi, decodeURIComponent)
  }
}

/** Parts that Windows reads as another name: other ends, short names, streams. */
const isOddPart = (part: string): boolean => /^(?!\.{1,2}$).*[. ]$|~\d|:/.test(part)

/** Without dots and doubled slashes; undefined for a path that is not absolute, or cannot be read. */
function normalized(path: string): string | undefined {
  const unprefixed = path.replace(/^(?:[\\/]{2}[?.])?[\\/]+(?=[a-z]:)/i, '')
  const isWindows = isDrive(unprefixed)
  if (!/^(?:[a-z]:)?[\\/]/i.test(unprefixed) || path.includes('\0')) return undefined
  const parts: string[] = []
  for (const [at, part] of (isWindows ? unprefixed.replaceAll('\\', '/') : unprefixed)
    .split('/')
    .entries()) {
    if (isWindows && at > 0 && isOddPart(part)) return undefined
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return isWindows ? parts.join('/') : `/${parts.join('/')}`
}

/** Hints of a tool that declares none, by the specification. */
const defaultHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const

/** True if a tool has these hints; one that only reads destroys nothing. */
export function hasHints({ annotations }: JsonObject, hints: ToolHints): boolean {
  const declared = isJsonObject(annotations) ? annotations : {}
  const hintOf = (name: keyof ToolHints): boolean => {
    const value = declared[name]
    return typeof value === 'boolean' ? value : defaultHints[name]
  }
  return Object.entries(hints).every(([name, expected]) =>
    name === 'destructiveHint'
      ? (hintOf('destructiveHint') && !hintOf('readOnlyHint')) === expected
      : hintOf(name as keyof ToolHints) === expected,
  )
}

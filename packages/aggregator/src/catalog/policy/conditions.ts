import type { FindPattern } from '#servers/config/permission-patterns'
import type { Condition } from '#servers/config/permission-settings'
import type { ToolHints } from '#servers/config/tool-hints'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { valuesOfSchema } from './default-values.ts'
import { judgeHost } from './host-test.ts'
import { judgeBelow } from './path-test.ts'
import { loose, readingsOf } from './readings.ts'
import { judgeMatches, judgePrefix } from './text-tests.ts'
import { maxValues, stepsOf, valuesAt } from './value-paths.ts'
import { all, any, opposite, type Verdict } from './verdicts.ts'

/** How the conditions of a rule are judged. */
interface Judging {
  /** All values of a path must meet theirs. */
  isAllowing: boolean
  find: FindPattern
  /** Of the tool: a server takes a default for what is absent. */
  schema: unknown
}

/** Judges arguments by the conditions of a rule. */
export function judgeParams(
  conditions: Readonly<Record<string, Condition>>,
  args: unknown,
  { isAllowing, find, schema }: Judging,
): Verdict {
  return all(
    Object.entries(conditions).map(([path, condition]) => {
      const steps = stepsOf(path)
      const { values, isOdd, isPartial } = valuesAt(args, steps)
      if (values.length > maxValues) return undefined
      const verdicts = values.map((value) => judge(value, condition, find))
      if (isOdd) verdicts.push(undefined)
      else if (values.length === 0 || isPartial) verdicts.push(isMetByAbsence(condition))
      if (isPartial || values.some(isNothing)) {
        const ofSchema = valuesOfSchema(schema, steps)
        if (ofSchema.isUnknown) verdicts.push(undefined)
        for (const value of ofSchema.values) verdicts.push(judge(value, condition, find))
      }
      return isAllowing ? all(verdicts) : any(verdicts)
    }),
  )
}

/** What a server may take for no value. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  (typeof value === 'string' && /^\s*(?:null|undefined|none)?\s*$/i.test(value)) ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** True if no argument is given but those that a condition has the path of. */
export function hasOnly(args: unknown, paths: readonly (readonly string[])[]): boolean {
  if (typeof args !== 'object' || args === null) return args === undefined
  return Object.entries(args).every(([key, value]) => {
    const within = paths.filter(([step]) => step === key || step === '*').map(([, ...rest]) => rest)
    return (
      within.some(({ length }) => length === 0) || (within.length > 0 && hasOnly(value, within))
    )
  })
}

/** A value that is absent meets what says so, and what says how values must not be. */
const isMetByAbsence = (condition: Condition): boolean =>
  isJsonObject(condition) &&
  (condition['absent'] === true || Object.keys(condition).every((key) => key === 'not'))

type Tests = Exclude<Condition, null | string | number | boolean>

/** Judges one value. */
export function judge(value: unknown, condition: Condition, find: FindPattern): Verdict {
  // It is sent as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined
  if (!isJsonObject(condition)) return judgeEqual(value, condition)
  const { not, ...tests } = condition as Tests
  const verdicts = [judgeTests(value, tests, find)]
  if (not !== undefined) verdicts.push(opposite(judgeTests(value, not, find)))
  return all(verdicts)
}

function judgeTests(value: unknown, tests: Tests, find: FindPattern) {
  const { equals, prefix, below, host, min, max, matches, absent } = tests
  const verdicts: Verdict[] = []
  if (equals !== undefined)
    verdicts.push(any([equals].flat().map((expected) => judgeEqual(value, expected))))
  if (prefix !== undefined) verdicts.push(judgePrefix(value, prefix))
  if (below !== undefined) verdicts.push(judgeBelow(value, below))
  if (host !== undefined) verdicts.push(judgeHost(value, [host].flat()))
  if (min !== undefined) verdicts.push(judgeNumber(value, (number) => number >= min))
  if (max !== undefined) verdicts.push(judgeNumber(value, (number) => number <= max))
  if (matches !== undefined) verdicts.push(judgeMatches(value, matches, find))
  if (absent === undefined) return all(verdicts)
  return any([isNothing(value) ? undefined : false, verdicts.length > 0 && all(verdicts)])
}

/** A server may read `"1"` as 1, ` Main` as `main`, and whatever is not empty as true. */
function judgeEqual(value: unknown, expected: unknown): Verdict {
  if (value === expected) return true
  if (typeof value === 'object' && value !== null) return undefined
  if (typeof expected === 'boolean')
    return typeof value === 'string' || Boolean(value) === expected ? undefined : false
  const text = `${value}`
  // What JSON in a text holds, and where one ends at NUL.
  if (/^\s*[[{]|\0/.test(text)) return undefined
  // `1_000`, `01750` and digits of other scripts are numbers to some.
  const digits = text.replace(/^\s*[-+]?0(?=\d)/, 'x')
  if (typeof expected === 'number' && typeof value === 'string' && Number.isNaN(Number(digits)))
    return /\p{N}/u.test(text) ? undefined : false
  const isOfNumbers = typeof value === 'number' || typeof expected === 'number'
  const isSame = (read: (text: string) => unknown) => read(`${value}`) === read(`${expected}`)
  const isAlike =
    isSame(loose) ||
    readingsOf(text).includes(loose(`${expected}`)) ||
    (isOfNumbers && (isSame(Number) || isSame(Number.parseFloat)))
  return isAlike || (value === true && expected === 1) ? undefined : false
}

function judgeNumber(value: unknown, isWithin: (number: number) => boolean): Verdict {
  if (typeof value === 'number') return isWithin(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isNaN(number) || isWithin(number) ? undefined : false
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

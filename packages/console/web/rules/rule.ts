/** What happens to a call that meets a rule. `only`: a call that does not meet it is denied. */
export type RuleEffect = 'ask' | 'deny' | 'only'

export type RowTest = '' | 'is' | 'prefix' | 'below' | 'host' | 'min' | 'max' | 'absent'

/** A parameter with what its value must be. */
export interface Row {
  /** Its path, such as `path` or `files[*].path`. */
  parameter: string
  test: RowTest
  value: string
}

/** What a row may test. No condition is met by whatever is there, so `only` has no `absent`. */
export const testsFor = (effect: RuleEffect): readonly (readonly [RowTest, string])[] =>
  effect === 'only' ? rowTests.slice(0, -1) : rowTests

const rowTests: readonly (readonly [RowTest, string])[] = [
  ['', 'anything'],
  ['is', 'is'],
  ['prefix', 'begins with'],
  ['below', 'is in the folder'],
  ['host', 'is at the host'],
  ['min', 'is at least'],
  ['max', 'is at most'],
  ['absent', 'is absent'],
]

type Shape = Readonly<Record<string, unknown>>
const shapeOf = (value: unknown): Shape =>
  typeof value === 'object' && value !== null ? (value as Shape) : {}

/** Parameters of a tool that are offered. */
const maxRows = 30

/** The rows of a tool, with the values of a call if there are any. */
export function rowsOf(schema: unknown, args: unknown = {}): Row[] {
  const properties = shapeOf(shapeOf(schema)['properties'])
  const names = new Set([...Object.keys(shapeOf(args)), ...Object.keys(properties)])
  // No path can name the others.
  const named = [...names].filter((name) => name !== '' && name !== '*' && !name.includes('"'))
  return named.slice(0, maxRows).map((parameter) => {
    const value = shapeOf(args)[parameter]
    const isScalar = ['string', 'number', 'boolean'].includes(typeof value)
    return { parameter: asPath(parameter), test: '', value: isScalar ? String(value) : '' }
  })
}

/** A name with signs that a path gives a meaning is quoted. */
const asPath = (name: string): string => (/^[\w$-]+$/.test(name) ? name : `["${name}"]`)

/** The test that a value suggests once it is entered. */
export function testFor(value: string): RowTest {
  if (value === '') return ''
  if (/^(?:[a-zA-Z]:)?[\\/]/.test(value)) return 'below'
  return 'is'
}

/** What is wrong with a row; undefined if nothing is. */
export function faultOf({ parameter, test, value }: Row): string | undefined {
  if (test === '' || test === 'absent') return undefined
  if (value.trim() === '') return `Enter a value for ${parameter}.`
  if ((test === 'min' || test === 'max') && !Number.isFinite(Number(value)))
    return `Enter a number for ${parameter}.`
  if (test === 'host' && value.replace(/^[a-z][\w+.-]*:\/\//i, '').includes('/'))
    return `Enter a host without a path for ${parameter}.`
  if (test === 'below' && testFor(value) !== 'below')
    return `Enter an absolute path for ${parameter}.`
  return undefined
}

function conditionOf({ test, value }: Row): unknown {
  if (test === 'absent') return { absent: true }
  if (test === 'is') return scalarOf(value)
  return { [test]: test === 'min' || test === 'max' ? Number(value) : value }
}

/** `true` and `12` are also what they look like. */
function scalarOf(value: string): unknown {
  if (value === 'true' || value === 'false') return { equals: [value === 'true', value] }
  return String(Number(value)) === value ? { equals: [Number(value), value] } : value
}

const negated = (condition: unknown): unknown =>
  typeof condition === 'object' && condition !== null
    ? { not: condition }
    : { not: { equals: condition } }

export interface RuleDraft {
  server: string
  tool: string
  effect: RuleEffect
  rows: readonly Row[]
  /** `token:NAME`; undefined for all. */
  caller?: string | undefined
  reason: string
}

export interface Rule {
  servers?: string[]
  tools: string[]
  callers?: string[]
  params?: Record<string, unknown>
  reason?: string
}

/** The list of `aggregator.permissions`, and the rules to add to it. */
export function rulesOf({ server, tool, effect, rows, caller, reason }: RuleDraft): {
  list: 'ask' | 'deny'
  rules: Rule[]
} {
  const conditions = rows.filter(({ test }) => test !== '')
  const base: Rule = {
    // A name with dots may be read as one of another server.
    ...(tool.includes('.')
      ? { servers: [server], tools: [`*.${tool}`] }
      : { tools: [`${server}.${tool}`] }),
    ...(caller && { callers: [caller] }),
    ...(reason.trim() && { reason: reason.trim() }),
  }
  const withParams = (those: readonly Row[], isNegated: boolean): Rule =>
    those.length === 0
      ? base
      : {
          ...base,
          params: Object.fromEntries(
            those.map((row) => [
              row.parameter,
              isNegated ? negated(conditionOf(row)) : conditionOf(row),
            ]),
          ),
        }
  if (effect !== 'only') return { list: effect, rules: [withParams(conditions, false)] }
  // One that is not met is enough to deny.
  return { list: 'deny', rules: conditions.map((row) => withParams([row], true)) }
}

/** The rule in words. */
export function ruleText({ server, tool, effect, rows, caller }: RuleDraft): string {
  const words = Object.fromEntries(rowTests)
  const conditions = rows
    .filter(({ test }) => test !== '')
    .map(({ parameter, test, value }) =>
      test === 'absent' ? `${parameter} is absent` : `${parameter} ${words[test]} ${value}`,
    )
  const name = `${server}.${tool}`
  const who = caller === undefined ? '' : ` by ${caller}`
  const when = conditions.length === 0 ? '' : ` if ${conditions.join(' and ')}`
  if (effect === 'ask') return `A person is asked before each call of ${name}${who}${when}.`
  if (effect === 'deny') return `Calls of ${name}${who} are denied${when}.`
  return `Calls of ${name}${who} are denied unless ${conditions.join(' and ') || '…'}.`
}

import { type FindPattern, hasPatterns, loadPatterns } from '#servers/config/permission-patterns'
import type { Condition, PermissionRule } from '#servers/config/permission-settings'
import { type Configured, type ServerConfig, unitsOf } from '#servers/config/server-config'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { nearestOf } from '#servers/protocol/nearest-of'
import { quoteValue } from '#servers/protocol/quote-value'
import type { CatalogEntry } from '../entries/catalog-entry.ts'
import { judge } from './conditions.ts'
import { deniesAny, folded } from './patterns.ts'
import { namesTool } from './profile.ts'
import { stepsOf } from './value-paths.ts'

/** What is known of a unit; undefined while it is unknown, or only in part. */
export type EntryOf = (unit: ServerConfig) => CatalogEntry | undefined

/**
 * A sentence for each condition of a rule that holds nothing: its parameter is in no schema of the
 * tools that the rule is for, or no value can meet it. Schemas that are open say nothing.
 */
export async function unmetConditions(
  { permissions = {}, servers }: Configured,
  entryOf: EntryOf,
): Promise<string[]> {
  const find = hasPatterns(permissions) ? await loadPatterns() : () => false
  const sentences: string[] = []
  for (const list of ['deny', 'ask', 'allow'] as const)
    for (const [index, rule] of (permissions[list] ?? []).entries()) {
      const tools = toolsOf(rule, servers, entryOf)
      for (const [path, condition] of Object.entries(rule.params ?? {})) {
        const fault =
          contradictionIn(condition, find) ??
          (tools && (await faultFor({ path, condition, find }, tools)))
        if (fault !== undefined)
          sentences.push(`aggregator.permissions.${list}[${index}].params: ${fault}`)
      }
    }
  return sentences
}

/** The tools that a rule is for; undefined unless all lists of its servers are known. */
function toolsOf(
  rule: PermissionRule,
  servers: readonly ServerConfig[],
  entryOf: EntryOf,
): JsonObject[] | undefined {
  const tools: JsonObject[] = []
  const ofRule = servers.filter(({ name }) => !rule.servers || deniesAny(name, rule.servers))
  for (const server of ofRule)
    for (const unit of unitsOf(server)) {
      const entry = entryOf(unit)
      if (entry === undefined) return undefined
      const aliasOf = (name: string) => server.rules?.tools?.[name]?.name ?? name
      tools.push(
        ...entry.tools.filter(({ name }) => {
          const names = [String(name), aliasOf(String(name))]
          const isNamed = (pattern: string) => namesTool(pattern, server, names, servers, folded)
          return rule.tools?.some(isNamed) ?? true
        }),
      )
    }
  return tools.length > 0 ? tools : undefined
}

interface Conditioned {
  path: string
  condition: Condition
  find: FindPattern
}

/** Why no call of the tools can meet a condition, if that is so. */
async function faultFor(
  { path, condition, find }: Conditioned,
  tools: readonly JsonObject[],
): Promise<string | undefined> {
  const found = tools.map(({ inputSchema }) => schemasAt(inputSchema, stepsOf(path)))
  if (found.includes('open')) return undefined
  const schemas = (found as unknown[][]).flat()
  if (schemas.length > 0)
    return schemas.some((schema) => mayMeet(condition, schema, find))
      ? undefined
      : `no value that the schema of ${quoteValue(path)} allows meets ${JSON.stringify(condition)}.`
  const names = tools.flatMap(({ inputSchema }) =>
    Object.keys(Object(Object(inputSchema).properties)),
  )
  const [nearest] = await nearestOf(path, [...new Set(names)])
  const hint = nearest === undefined ? '' : ` The most similar one is ${nearest}.`
  return `${quoteValue(path)} is no parameter of a tool that the rule is for.${hint}`
}

/** Keywords by which a schema may allow more than its properties say. */
const openings = ['$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'if', 'patternProperties']

/** The schemas that a path leads to; `open` if a schema on its way allows what it does not name. */
function schemasAt(schema: unknown, steps: readonly string[]): 'open' | unknown[] {
  const [step, ...rest] = steps
  if (step === undefined) return [schema]
  if (!isJsonObject(schema) || openings.some((keyword) => schema[keyword] !== undefined))
    return schema === false ? [] : 'open'
  const { properties, additionalProperties, items } = schema
  if (step === '*' || /^\d+$/.test(step)) {
    if (items !== undefined) return schemasAt(items, rest)
    return isJsonObject(properties) ? [] : 'open'
  }
  if (!isJsonObject(properties)) return items === undefined ? 'open' : []
  if (Object.hasOwn(properties, step)) return schemasAt(properties[step], rest)
  return additionalProperties === true || isJsonObject(additionalProperties) ? 'open' : []
}

/** Whether some value that a schema allows may meet a condition; what cannot be judged may. */
function mayMeet(condition: Condition, schema: unknown, find: FindPattern): boolean {
  if (!isJsonObject(schema) || testsIn(condition).absent) return true
  const { enum: list, const: only, type, minimum, maximum, maxLength } = schema
  const values = Array.isArray(list) ? list : 'const' in schema ? [only] : undefined
  const allowed = values ?? (type === 'boolean' ? [true, false] : undefined)
  if (allowed) return allowed.some((value) => judge(value, condition, find) !== false)
  const { min, max, prefix, equals } = testsIn(condition)
  const expected = equals === undefined ? [] : [equals].flat()
  const isOver = (number: number) => typeof maximum === 'number' && number > maximum
  const isUnder = (number: number) => typeof minimum === 'number' && number < minimum
  const isOut = (value: unknown) => typeof value === 'number' && (isOver(value) || isUnder(value))
  const isLong = (text: unknown) =>
    typeof maxLength === 'number' && typeof text === 'string' && text.length > maxLength
  return !(
    (min !== undefined && isOver(min)) ||
    (max !== undefined && isUnder(max)) ||
    isLong(prefix) ||
    (expected.length > 0 && expected.every((value) => isOut(value) || isLong(value)))
  )
}

type Tests = Exclude<Condition, null | string | number | boolean>

const testsIn = (condition: Condition): Tests =>
  isJsonObject(condition) ? (condition as Tests) : { equals: condition }

/** Why no value at all meets a condition. */
function contradictionIn(condition: Condition, find: FindPattern): string | undefined {
  const { not, absent, ...tests } = testsIn(condition)
  if (absent) return undefined
  const { equals, prefix, below, min, max } = tests
  const rest = { ...tests, equals: undefined, not }
  const isImpossible =
    (not !== undefined && isTaken(tests, not)) ||
    (min !== undefined && max !== undefined && min > max) ||
    (equals !== undefined &&
      [equals].flat().every((value) => judge(value, rest as Condition, find) === false)) ||
    (prefix !== undefined &&
      below !== undefined &&
      !begins(prefix, below) &&
      !begins(below, prefix))
  return isImpossible ? `no value meets ${JSON.stringify(condition)}.` : undefined
}

const begins = (text: string | undefined, begin: string): boolean =>
  text !== undefined && folded(text).startsWith(folded(begin))

/** True if all that one test allows is what a single other one does not. */
function isTaken(
  { prefix, below, matches, min, max }: Tests,
  not: NonNullable<Tests['not']>,
): boolean {
  if (Object.keys(not).length !== 1) return false
  if (not.prefix !== undefined) return begins(prefix, not.prefix)
  if (not.below !== undefined) return below === not.below
  if (not.matches !== undefined) return matches === not.matches
  if (not.min !== undefined) return min !== undefined && min >= not.min
  return not.max !== undefined && max !== undefined && max <= not.max
}

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { isJsonObject, type JsonObject } from './message.ts'
import { oncePer } from './once-per.ts'
import { quoteValue } from './quote-value.ts'
import { typeWords } from './type-words.ts'
import { withoutPatterns } from './without-patterns.ts'

type Check = ReturnType<AjvJsonSchemaValidator['getValidator']>

/** Characters. Larger schemas take long to compile; the server checks its arguments itself. */
const maxSchemaLength = 200_000

/**
 * A validator caches all it compiles: it is replaced after `maxUses`, so that old schemas can be
 * freed.
 */
let validator: AjvJsonSchemaValidator | undefined
let uses = 0
const maxUses = 500

function nextValidator(): AjvJsonSchemaValidator {
  if (++uses % maxUses === 0) validator = undefined
  validator ??= new AjvJsonSchemaValidator()
  return validator
}

/** A schema that cannot be compiled accepts everything. */
export const validateArguments: ValidateArguments = (args, schema) => {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { valid, errorMessage } = checkOf(schema)(args)
  return valid ? undefined : describeErrors(errorMessage, { args, schema })
}

interface Checked {
  args: unknown
  schema: object
}

/** Errors of the validator refer to `data` and use the words of JSON Schema. */
function describeErrors(text = '', checked: Checked): string {
  const errors = text.split(/, (?=data(?:\/\S*)? must)/)
  return [...new Set(errors.map((error) => describeError(error, checked)))].join('; ')
}

function describeError(text: string, checked: Checked): string {
  const [, pointer = '', rule = text] = /^data((?:\/\S*)?) (must .*)$/s.exec(text) ?? []
  const path = pathOf(pointer)
  const missing = /^must have required property '(.*)'$/s.exec(rule)?.[1]
  if (missing !== undefined) return `${path}.${missing} is missing`
  const extra = /(?:additional|unevaluated) properties$/.test(rule)
    ? extrasAt(pointer, checked)
    : ''
  return extra ? `${path} has ${extra}, which the tool does not have` : `${path} ${plainRule(rule)}`
}

/** Parameters at a place of the arguments that no part of the schema for it names. */
function extrasAt(pointer: string, { args, schema }: Checked): string {
  const keys = keysOf(pointer)
  const at = keys.reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], args)
  const names = new Set(namesAt(schema, keys, schema, []))
  const extras = isJsonObject(at) ? Object.keys(at).filter((key) => !names.has(key)) : []
  return extras
    .slice(0, maxExtras)
    .map((key) => quoteValue(key))
    .join(', ')
}

const maxExtras = 5

/** The names of parameters below `keys`, in all alternatives. `visited` bounds what is visited. */
function namesAt(schema: unknown, keys: string[], root: object, visited: Set<object>[]): string[] {
  visited[keys.length] ??= new Set()
  if (!isJsonObject(schema) || visited[keys.length]?.has(schema)) return []
  visited[keys.length]?.add(schema)
  const { $ref, properties, items, anyOf, oneOf, allOf } = schema
  const members = isJsonObject(properties) ? properties : {}
  const target = String($ref ?? '').startsWith('#/') ? keysOf(String($ref)) : undefined
  const same = target?.reduce<unknown>((at, key) => (at as JsonObject | undefined)?.[key], root)
  const [key, ...rest] = keys
  return [
    ...(key === undefined ? Object.keys(members) : []),
    ...(key === undefined
      ? []
      : [members[key], items].flatMap((part) => namesAt(part, rest, root, visited))),
    ...[same, anyOf, oneOf, allOf].flat().flatMap((part) => namesAt(part, keys, root, visited)),
  ]
}

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

const pathOf = (pointer: string): string =>
  keysOf(pointer).reduce(
    (path, key) => path + (/^\d+$/.test(key) ? `[${key}]` : `.${key}`),
    'params',
  )

const comparisons: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
}

function plainRule(rule: string): string {
  const [, type = ''] = /^must be ([a-z,]+)$/.exec(rule) ?? []
  const words = type.split(',').map((name) => typeWords[name])
  if (words.every((word) => word !== undefined)) return `must be ${words.join(' or ')}`
  return rule
    .replace(/^must be ([<>]=?) /, (_, sign: string) => `must be ${comparisons[sign]} `)
    .replace(/^must NOT have fewer than (\d+) /, 'must have at least $1 ')
    .replace(/^must NOT have more than (\d+) /, 'must have at most $1 ')
    .replace(/^must NOT have additional properties$/, 'has a parameter that the tool does not have')
    .replace(/^must match (?:a|exactly one) schema in \w+$/, 'must match one of the alternatives')
    .replace(/^must be equal to one of the allowed values$/, 'must be one of the allowed values')
    .replace('must NOT', 'must not')
}

/** False for a schema that clients cannot compile: theirs have no such tolerance. */
export const isCompilable: (schema: JsonObject) => boolean = oncePer(
  ({ $id: _, $schema: __, ...schema }) => {
    try {
      // Longer ones are listed as they are.
      if (JSON.stringify(schema).length <= maxSchemaLength) nextValidator().getValidator(schema)
      return true
    } catch {
      return false
    }
  },
)

const acceptAll: Check = (data) => ({ valid: true, data, errorMessage: undefined })

const checkOf = oncePer((schema): Check => {
  const current = nextValidator()
  try {
    if (JSON.stringify(schema).length > maxSchemaLength) return acceptAll
    return current.getValidator(withoutPatterns(schema) as never)
  } catch {
    return acceptAll
  }
})

/** Returns what is wrong with the arguments, or undefined if they are valid. */
export type ValidateArguments = (args: unknown, schema: unknown) => string | undefined

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { oncePer } from './once-per.ts'
import { withoutPatterns } from './without-patterns.ts'

type Check = ReturnType<AjvJsonSchemaValidator['getValidator']>

/** Characters. Larger schemas take long to compile; the server checks its arguments itself. */
const maxSchemaLength = 200_000

/**
 * A validator caches all it compiles: it is replaced after `maxUses`, so that old schemas can be
 * freed.
 */
let validator = new AjvJsonSchemaValidator()
let uses = 0
const maxUses = 500

/** A schema that cannot be compiled accepts everything. */
export const validateArguments: ValidateArguments = (args, schema) => {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { valid, errorMessage } = checkOf(schema)(args)
  return valid ? undefined : describeErrors(errorMessage)
}

/** Errors of the validator refer to `data` and use the words of JSON Schema. */
const describeErrors = (text = ''): string =>
  text
    .split(/, (?=data(?:\/\S*)? must)/)
    .map(describeError)
    .join('; ')

function describeError(text: string): string {
  const [, pointer = '', rule = text] = /^data((?:\/\S*)?) (must .*)$/s.exec(text) ?? []
  const path = pathOf(pointer)
  const missing = /^must have required property '(.*)'$/s.exec(rule)?.[1]
  if (missing !== undefined) return `${path}.${missing} is missing`
  return `${path} ${plainRule(rule)}`
}

const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, key) => path + (/^\d+$/.test(key) ? `[${key}]` : `.${key}`), 'params')

const types: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}

const comparisons: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
}

function plainRule(rule: string): string {
  const [, type = ''] = /^must be ([a-z,]+)$/.exec(rule) ?? []
  const named = type.split(',').map((one) => types[one])
  if (named.every((one) => one !== undefined)) return `must be ${named.join(' or ')}`
  return rule
    .replace(/^must be ([<>]=?) /, (_, sign: string) => `must be ${comparisons[sign]} `)
    .replace(/^must NOT have fewer than (\d+) /, 'must have at least $1 ')
    .replace(/^must NOT have more than (\d+) /, 'must have at most $1 ')
    .replace(/^must NOT have additional properties$/, 'has a parameter that the tool does not have')
    .replace(/^must match (?:a|exactly one) schema in \w+$/, 'must match one of the alternatives')
    .replace(/^must be equal to one of the allowed values$/, 'must be one of the allowed values')
    .replace('must NOT', 'must not')
}

const acceptAll: Check = (data) => ({ valid: true, data, errorMessage: undefined })

const checkOf = oncePer((schema): Check => {
  if (++uses % maxUses === 0) validator = new AjvJsonSchemaValidator()
  try {
    if (JSON.stringify(schema).length > maxSchemaLength) return acceptAll
    return validator.getValidator(withoutPatterns(schema) as never)
  } catch {
    return acceptAll
  }
})

/** Returns what is wrong with the arguments, or undefined if they are valid. */
export type ValidateArguments = (args: unknown, schema: unknown) => string | undefined

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { withoutPatterns } from './without-patterns.ts'

type Check = ReturnType<AjvJsonSchemaValidator['getValidator']>

const compiled = new WeakMap<object, Check | undefined>()
/** A larger schema takes long to compile; the server checks the arguments itself. */
const largestSchema = 200_000

/** A validator keeps all it compiled; so that old catalogs go, it is replaced now and then. */
let validator = new AjvJsonSchemaValidator()
let uses = 0
const mostUses = 500

/** By the SDK's validator. A schema that cannot be compiled allows everything. */
export const validateArguments: ValidateArguments = (args, schema) => {
  if (typeof schema !== 'object' || schema === null) return undefined
  if (!compiled.has(schema)) compiled.set(schema, compile(schema))
  const outcome = compiled.get(schema)?.(args)
  return outcome === undefined || outcome.valid ? undefined : outcome.errorMessage
}

function compile(schema: object): Check | undefined {
  if (++uses % mostUses === 0) validator = new AjvJsonSchemaValidator()
  try {
    if (JSON.stringify(schema).length > largestSchema) return undefined
    return validator.getValidator(withoutPatterns(schema) as never)
  } catch {
    return undefined
  }
}

/** What is wrong with arguments, in words; undefined if nothing is. */
export type ValidateArguments = (args: unknown, schema: unknown) => string | undefined

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { ValidateArguments } from '../schema/validate-arguments.ts'

/** Shared, since each is a compiler with caches. */
export const jsonSchemaValidator: AjvJsonSchemaValidator = new AjvJsonSchemaValidator()

type Check = ReturnType<AjvJsonSchemaValidator['getValidator']>

const compiled = new WeakMap<object, Check | undefined>()
/** A larger schema takes long to compile; the server checks the arguments itself. */
const largestSchema = 200_000

/** By the SDK's validator. A schema that cannot be compiled allows everything. */
export const validateArguments: ValidateArguments = (args, schema) => {
  if (typeof schema !== 'object' || schema === null) return undefined
  if (!compiled.has(schema)) compiled.set(schema, compile(schema))
  const outcome = compiled.get(schema)?.(args)
  return outcome === undefined || outcome.valid ? undefined : outcome.errorMessage
}

function compile(schema: object): Check | undefined {
  try {
    if (JSON.stringify(schema).length > largestSchema) return undefined
    return jsonSchemaValidator.getValidator(schema as never)
  } catch {
    return undefined
  }
}

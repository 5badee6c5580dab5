import { type Schema, Validator } from '@cfworker/json-schema'
import { ErrorSchemaBuilder, type RJSFSchema, type ValidatorType } from '@rjsf/utils'

interface Fault {
  path: string[]
  message: string
}

/** Keywords that only say that something below is wrong. */
const wrappers = new Set([
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'additionalProperties',
])

/** A schema that cannot be read finds no fault: the server has the last word. */
function faultsOf(schema: RJSFSchema, data: unknown, root?: RJSFSchema): Fault[] {
  try {
    const whole = root?.['$defs'] && !schema['$defs'] ? { ...schema, $defs: root['$defs'] } : schema
    const validator = new Validator(whole as Schema, '2020-12', false)
    return validator
      .validate(data)
      .errors.filter(({ keyword }) => !wrappers.has(keyword))
      .map(({ instanceLocation, keyword, error }) => {
        const path = instanceLocation.split('/').slice(1).map(unescaped)
        const missing = keyword === 'required' ? /"([^"]+)"\.?$/.exec(error)?.[1] : undefined
        return missing === undefined
          ? { path, message: error }
          : { path: [...path, missing], message: 'It is required.' }
      })
  } catch {
    return []
  }
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

/** Checks by walking the schema: the page's rules allow no code made of text, as Ajv does. */
export const schemaValidator: ValidatorType = {
  validateFormData(data, schema) {
    const faults = faultsOf(schema, data ?? {})
    const builder = new ErrorSchemaBuilder()
    for (const { path, message } of faults) builder.addErrors(message, path)
    return {
      errors: faults.map(({ path, message }) => ({
        property: `.${path.join('.')}`,
        message,
        stack: message,
      })),
      errorSchema: builder.ErrorSchema,
    }
  },
  isValid: (schema, data, root) => faultsOf(schema, data, root).length === 0,
  rawValidation: (schema, data) => ({ errors: faultsOf(schema, data) as never[] }),
}

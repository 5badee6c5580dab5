import { type Schema, Validator } from '@cfworker/json-schema'
import { decoded } from '@pith-mcp/base/decoded'
import Form from '@rjsf/core/lib/components/Form.js'
import { ErrorSchemaBuilder, type RJSFSchema, type UiSchema, type ValidatorType } from '@rjsf/utils'
import { useId } from 'react'
import { WriteButton } from '../ui/button.tsx'
import { formTemplates, formWidgets } from './form-templates.tsx'
import { JsonField, type TryFormProps } from './json-form.tsx'

interface SchemaFormProps extends TryFormProps {
  /** How fields are shown. With it, the server validates the values, and absent ones stay absent. */
  uiSchema?: UiSchema
}

/** A form for a schema. Throws if the schema is not supported. */
export function SchemaForm(props: SchemaFormProps) {
  const { schema, args, isBusy, onChange, onCall, action = 'Call', uiSchema } = props
  return (
    <Form
      className="schema-form"
      schema={(schema ?? { type: 'object' }) as RJSFSchema}
      {...(uiSchema && { uiSchema, noValidate: true })}
      validator={schemaValidator}
      templates={formTemplates}
      widgets={formWidgets}
      fields={{ JsonField }}
      formData={args}
      idPrefix={useId()}
      noHtml5Validate
      showErrorList={false}
      experimental_defaultFormStateBehavior={{
        emptyObjectFields: uiSchema ? 'skipDefaults' : 'skipEmptyDefaults',
        arrayMinItems: { populate: 'requiredOnly' },
      }}
      onChange={({ formData }) => onChange((formData ?? {}) as Record<string, unknown>)}
      // Without it the form logs every error to the browser console.
      onError={() => props.onInvalid?.()}
      onSubmit={({ formData }) => onCall((formData ?? {}) as Record<string, unknown>)}
    >
      <div>
        <WriteButton type="submit" kind="main" isBusy={isBusy}>
          {action}
        </WriteButton>
      </div>
    </Form>
  )
}

interface Fault {
  path: string[]
  message: string
}

/** Keywords whose errors only repeat errors further down. */
const wrappers = new Set([
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'additionalProperties',
])

/** Finds no errors if the schema is invalid: the server validates arguments anyway. */
function faultsOf(schema: RJSFSchema, data: unknown, root?: RJSFSchema): Fault[] {
  try {
    const doc = root?.['$defs'] && !schema['$defs'] ? { ...schema, $defs: root['$defs'] } : schema
    const validator = new Validator(doc as Schema, '2020-12', false)
    return validator
      .validate(data)
      .errors.filter(({ keyword }) => !wrappers.has(keyword))
      .map(({ instanceLocation, keyword, error }) => {
        const path = instanceLocation.split('/').slice(1).map(unescaped)
        const missing = keyword === 'required' ? /"([^"]+)"\.?$/.exec(error)?.[1] : undefined
        return missing === undefined
          ? { path, message: describeError(error) }
          : { path: [...path, missing], message: 'This field is required.' }
      })
  } catch {
    return []
  }
}

/** The validator's messages, in words for a form. */
const describeError = (error: string): string =>
  error
    .replace(/^Instance type ".*" is invalid\. Expected (.*)\.$/, 'The type must be $1.')
    .replace(/^Instance does not match any of \[(.*)\]\.$/s, 'This must be one of $1.')
    .replace(
      /^Instance (?:does not match|matched) .*(?:schema|schemas|matches\))\.$/,
      'This is invalid.',
    )
    .replace(/^Instance does not match (.*)\.$/s, 'This must be $1.')
    .replace(/^Instance /, 'The value ')

const unescaped = (part: string): string =>
  decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')

/** Interprets the schema: the Content-Security-Policy forbids eval, which Ajv needs. */
const schemaValidator: ValidatorType = {
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

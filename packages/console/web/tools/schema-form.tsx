import Form from '@rjsf/core/lib/components/Form.js'
import type { RJSFSchema } from '@rjsf/utils'
import { WriteButton } from '../ui/button.tsx'
import { formTemplates, formWidgets } from './form-templates.tsx'
import type { TryFormProps } from './json-form.tsx'
import { schemaValidator } from './schema-validator.ts'

/** A form for the schema of a tool. Throws if the schema is not supported. */
export function SchemaForm({ schema, args, isBusy, onChange, onCall }: TryFormProps) {
  return (
    <Form
      className="schema-form"
      schema={(schema ?? { type: 'object' }) as RJSFSchema}
      validator={schemaValidator}
      templates={formTemplates}
      widgets={formWidgets}
      formData={args}
      idPrefix="try"
      noHtml5Validate
      showErrorList={false}
      experimental_defaultFormStateBehavior={{
        emptyObjectFields: 'skipEmptyDefaults',
        arrayMinItems: { populate: 'requiredOnly' },
      }}
      onChange={({ formData }) => onChange((formData ?? {}) as Record<string, unknown>)}
      // Without it the form logs every error to the browser console.
      onError={() => {}}
      onSubmit={({ formData }) => onCall((formData ?? {}) as Record<string, unknown>)}
    >
      <div>
        <WriteButton type="submit" kind="main" isBusy={isBusy}>
          Call
        </WriteButton>
      </div>
    </Form>
  )
}

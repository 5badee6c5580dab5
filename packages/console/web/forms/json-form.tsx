import { type FormEvent, useState } from 'react'
import { describeJsonError } from '../text/json-error.ts'
import { WriteButton } from '../ui/button.tsx'
import { Field } from '../ui/fields.tsx'
import './schema-form.css'

export function JsonForm(props: TryFormProps) {
  const { args, isBusy, onChange, onCall, onInvalid, action = 'Call' } = props
  const [text, setText] = useState(() => JSON.stringify(args, null, 2))
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = readObject(text)
    setProblem(typeof read === 'string' ? read : undefined)
    if (typeof read === 'string') onInvalid?.()
    else onCall(read)
  }
  return (
    <form className="schema-form" onSubmit={submit}>
      <Field label="Arguments" hint={problem && <span className="field-error">{problem}</span>}>
        {(id, hintId) => (
          <textarea
            id={id}
            aria-describedby={hintId}
            aria-invalid={problem !== undefined || undefined}
            className="is-mono"
            rows={10}
            spellCheck={false}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              const read = readObject(event.target.value)
              if (typeof read !== 'string') onChange(read)
            }}
          />
        )}
      </Field>
      <div>
        <WriteButton type="submit" kind="main" isBusy={isBusy}>
          {action}
        </WriteButton>
      </div>
    </form>
  )
}

/** The parsed object, or an error message. */
function readObject(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text || '{}')
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
    return 'Arguments must be an object.'
  } catch (cause) {
    return describeJsonError(text, cause)
  }
}

export interface TryFormProps {
  /** Of the button that submits. */
  action?: string
  schema: unknown
  args: Record<string, unknown>
  isBusy: boolean
  onChange: (args: Record<string, unknown>) => void
  onCall: (args: Record<string, unknown>) => void
  /** Instead of a call: an earlier result is not of these arguments. */
  onInvalid?: () => void
}

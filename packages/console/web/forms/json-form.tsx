import type { FieldProps } from '@rjsf/utils'
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
      <JsonText
        label="Arguments"
        problem={problem}
        rows={10}
        text={text}
        onText={(next) => {
          setText(next)
          const read = readObject(next)
          if (typeof read !== 'string') onChange(read)
        }}
      />
      <div>
        <WriteButton type="submit" kind="main" isBusy={isBusy}>
          {action}
        </WriteButton>
      </div>
    </form>
  )
}

interface JsonTextProps {
  label: string
  hint?: string | undefined
  problem: string | undefined
  rows: number
  text: string
  onText: (text: string) => void
}

function JsonText({ label, hint, problem, rows, text, onText }: JsonTextProps) {
  const note = problem ? <span className="field-error">{problem}</span> : hint
  return (
    <Field label={label} hint={note}>
      {(id, hintId) => (
        <textarea
          id={id}
          aria-describedby={hintId}
          aria-invalid={problem !== undefined || undefined}
          className="is-mono"
          rows={rows}
          spellCheck={false}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A member that fields would not show well. What is no object is kept as text, and then refused. */
export function JsonField({ schema, formData, fieldPathId, onChange }: FieldProps) {
  const [text, setText] = useState(
    typeof formData === 'string' ? formData : JSON.stringify(formData, null, 2) || '',
  )
  const read = readObject(text)
  return (
    <JsonText
      label={schema.title ?? ''}
      hint={`${schema.description ?? ''} JSON.`}
      problem={typeof read === 'string' ? read : undefined}
      rows={4}
      text={text}
      onText={(next) => {
        setText(next)
        const value = readObject(next)
        onChange(typeof value === 'string' ? next : value, fieldPathId.path)
      }}
    />
  )
}

/** The parsed object, or an error message. */
function readObject(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text || '{}')
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
    return 'This must be an object.'
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

import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string
  hint?: string
  /** Takes the remaining width of its row. */
  isWide?: boolean
  value: string
  onChange: (value: string) => void
}

/** A field for a line of text. */
export function TextField({ label, hint, isWide, onChange, ...rest }: TextFieldProps): ReactNode {
  return (
    <Field label={label} hint={hint} isWide={isWide}>
      {(id, hintId) => (
        <input
          id={id}
          aria-describedby={hintId}
          autoComplete="off"
          {...rest}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A wide field for a text to search or filter by. */
export function SearchField(props: TextFieldProps): ReactNode {
  return <TextField type="search" isWide autoComplete="on" {...props} />
}

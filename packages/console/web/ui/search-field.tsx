import type { ReactNode } from 'react'
import { Field } from './field.tsx'

interface SearchFieldProps {
  label: string
  placeholder: string
  /** Characters. */
  maxLength?: number
  value: string
  onChange: (value: string) => void
}

/** A wide field for a text to search or filter by. */
export function SearchField({ label, onChange, ...rest }: SearchFieldProps): ReactNode {
  return (
    <Field label={label} isWide>
      {(id) => (
        <input id={id} type="search" {...rest} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

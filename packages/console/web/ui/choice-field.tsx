import type { ReactNode } from 'react'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Field } from './field.tsx'

interface ChoiceFieldProps {
  label: string
  options: readonly (readonly [value: string, label: string])[]
  value: string
  onChange: (value: string) => void
}

/** A choice of options. A value that is not an option is kept. */
export function ChoiceField({ label, options, value, onChange }: ChoiceFieldProps): ReactNode {
  const isKnown = options.some(([option]) => option === value)
  return (
    <Field label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          {(isKnown ? options : [...options, [value, value]]).map(([option = '', words = '']) => (
            <option key={option} value={option}>
              {spellOddCharacters(words)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

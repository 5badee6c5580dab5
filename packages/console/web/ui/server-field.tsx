import type { ReactNode } from 'react'
import { useServers } from '../api/use-answers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Field } from './field.tsx'

interface ServerFieldProps {
  /** A name, also of a server that no longer exists; empty for all servers. */
  value: string
  onChange: (server: string) => void
}

/** A choice of one server, or all. */
export function ServerField({ value, onChange }: ServerFieldProps): ReactNode {
  const known = (useServers().data ?? []).map(({ name }) => name)
  const names = new Set(value ? [...known, value] : known)
  return (
    <Field label="Server">
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">All</option>
          {[...names].map((name) => (
            <option key={name} value={name}>
              {spellOddCharacters(name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

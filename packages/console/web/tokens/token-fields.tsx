import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { useProfiles } from '../api/use-answers.ts'
import { CheckField } from '../ui/check-field.tsx'
import { Field } from '../ui/field.tsx'

export type Scope = NonNullable<Schemas['NewToken']['scopes']>[number]

const allScopes: readonly (readonly [Scope, string])[] = [
  ['mcp', 'Call tools over MCP'],
  ['console:read', 'View this console'],
  ['console', 'View and change this console'],
]

interface ScopeFieldsProps {
  scopes: readonly Scope[]
  onChange: (scopes: readonly Scope[]) => void
}

export function ScopeFields({ scopes, onChange }: ScopeFieldsProps): ReactNode {
  return (
    <fieldset className="scope-choice">
      <legend className="field-label">Permissions</legend>
      {allScopes.map(([scope, words]) => (
        <CheckField
          key={scope}
          isChecked={scopes.includes(scope)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
          }
        >
          <span>
            {words} <code>{scope}</code>
          </span>
        </CheckField>
      ))}
    </fieldset>
  )
}

interface SelectProps {
  value: string
  onChange: (value: string) => void
}

export function ProfileField({ value, onChange }: SelectProps): ReactNode {
  const profiles = useProfiles().data ?? []
  return (
    <Field label="Profile">
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Default</option>
          {profiles.flatMap(({ name }) => (name ? [<option key={name}>{name}</option>] : []))}
        </select>
      )}
    </Field>
  )
}

/** A number of days such as `90d`, or empty. */
export function ExpiryField({ value, onChange }: SelectProps): ReactNode {
  return (
    <Field label="Expires">
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="7d">in 7 days</option>
          <option value="30d">in 30 days</option>
          <option value="90d">in 90 days</option>
          <option value="365d">in a year</option>
          <option value="">never</option>
        </select>
      )}
    </Field>
  )
}

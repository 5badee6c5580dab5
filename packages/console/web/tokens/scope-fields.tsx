import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { CheckField } from '../ui/check-field.tsx'

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

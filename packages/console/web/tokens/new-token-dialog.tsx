import { type FormEvent, type ReactNode, useState } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'
import { useProfiles } from '../api/use-answers.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { CheckField } from '../ui/check-field.tsx'
import { ChoiceField } from '../ui/choice-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { TextField } from '../ui/text-field.tsx'

type Scope = NonNullable<Schemas['NewToken']['scopes']>[number]

const allScopes: readonly (readonly [Scope, string])[] = [
  ['mcp', 'Call tools over MCP'],
  ['console:read', 'View this console'],
  ['console', 'View and change this console'],
]

const expiries = [
  ['7d', 'in 7 days'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
  ['', 'never'],
] as const

interface NewTokenDialogProps {
  onClose: () => void
  onCreated: (token: Schemas['CreatedToken']) => void
}

export function NewTokenDialog({ onClose, onCreated }: NewTokenDialogProps): ReactNode {
  const names = (useProfiles().data ?? []).flatMap(({ name }) => name ?? [])
  const profiles = [['', 'Default'] as const, ...names.map((name) => [name, name] as const)]
  const [name, setName] = useState('')
  const [profile, setProfile] = useState('')
  const [expires, setExpires] = useState('90d')
  const [scopes, setScopes] = useState<readonly Scope[]>(['mcp'])
  const create = useAct({
    send: (api, body: Schemas['NewToken']) => api.POST('/api/v1/tokens', { body }),
    invalidates: ['tokens'],
    onDone: onCreated,
    isQuiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({
      name: name.trim(),
      scopes: [...scopes],
      ...(profile && { profile }),
      ...(expires && { expires }),
    })
  }
  return (
    <Dialog title="Create an access token" onClose={onClose}>
      <form onSubmit={submit} className="dialog-form">
        <TextField
          label="Name"
          hint="Its owner or purpose. The journal shows it."
          required
          maxLength={64}
          value={name}
          onChange={setName}
        />
        <fieldset className="scope-choice">
          <legend className="field-label">Permissions</legend>
          {allScopes.map(([scope, words]) => (
            <CheckField
              key={scope}
              isChecked={scopes.includes(scope)}
              onChange={(isChecked) =>
                setScopes(isChecked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            >
              <span>
                {words} <code>{scope}</code>
              </span>
            </CheckField>
          ))}
        </fieldset>
        <ChoiceField label="Profile" options={profiles} value={profile} onChange={setProfile} />
        <ChoiceField label="Expires" options={expiries} value={expires} onChange={setExpires} />
        {create.error && <ProblemNote error={create.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <WriteButton
            type="submit"
            kind="main"
            isBusy={create.isPending}
            disabledReason={scopes.length === 0 ? 'Select at least one permission.' : undefined}
          >
            Create
          </WriteButton>
        </div>
      </form>
    </Dialog>
  )
}

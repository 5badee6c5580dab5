import { type FormEvent, type ReactNode, useState } from 'react'
import { answerOf } from '../api/answer-of.ts'
import { useConsole } from '../api/console-context.ts'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { ExpiryField, ProfileField, type Scope, ScopeFields } from './token-fields.tsx'

interface NewTokenDialogProps {
  onClose: () => void
  onCreated: (token: Schemas['CreatedToken']) => void
}

export function NewTokenDialog({ onClose, onCreated }: NewTokenDialogProps): ReactNode {
  const { api } = useConsole()
  const [name, setName] = useState('')
  const [profile, setProfile] = useState('')
  const [expires, setExpires] = useState('90d')
  const [scopes, setScopes] = useState<readonly Scope[]>(['mcp'])
  const create = useAct({
    send: (body: Schemas['NewToken']) => answerOf(api.POST('/api/v1/tokens', { body })),
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
        <Field label="Name" hint="Its owner or purpose. The journal shows it.">
          {(id, hintId) => (
            <input
              id={id}
              aria-describedby={hintId}
              autoComplete="off"
              required
              maxLength={64}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <ProfileField value={profile} onChange={setProfile} />
        <ExpiryField value={expires} onChange={setExpires} />
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

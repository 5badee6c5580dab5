import { type FormEvent, type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import { answerOf, type Schemas } from '../api/create-api.ts'
import { useAct } from '../api/use-act.ts'
import { useProfiles } from '../api/use-answers.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'

type Scope = Schemas['NewToken']['scopes'] extends (infer One)[] | undefined ? One : never

const scopes: readonly (readonly [Scope, string])[] = [
  ['mcp', 'Call tools over MCP'],
  ['console:read', 'View this console'],
  ['console', 'View and change this console'],
]

interface NewTokenDialogProps {
  onClose: () => void
  onCreated: (token: Schemas['CreatedToken']) => void
}

export function NewTokenDialog({ onClose, onCreated }: NewTokenDialogProps): ReactNode {
  const { api } = useConsole()
  const profiles = useProfiles().data ?? []
  const [name, setName] = useState('')
  const [profile, setProfile] = useState('')
  const [expires, setExpires] = useState('90d')
  const [chosen, setChosen] = useState<readonly Scope[]>(['mcp'])
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
      scopes: [...chosen],
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
        <fieldset className="scope-choice">
          <legend className="field-label">Permissions</legend>
          {scopes.map(([scope, words]) => (
            <label key={scope} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={(event) =>
                  setChosen(
                    event.target.checked
                      ? [...chosen, scope]
                      : chosen.filter((one) => one !== scope),
                  )
                }
              />
              <span>
                {words} <code>{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
        <Field label="Profile">
          {(id) => (
            <select id={id} value={profile} onChange={(event) => setProfile(event.target.value)}>
              <option value="">Default</option>
              {profiles.flatMap((one) =>
                one.name ? [<option key={one.name}>{one.name}</option>] : [],
              )}
            </select>
          )}
        </Field>
        <Field label="Expires">
          {(id) => (
            <select id={id} value={expires} onChange={(event) => setExpires(event.target.value)}>
              <option value="7d">in 7 days</option>
              <option value="30d">in 30 days</option>
              <option value="90d">in 90 days</option>
              <option value="365d">in a year</option>
              <option value="">never</option>
            </select>
          )}
        </Field>
        {create.error && <ProblemNote error={create.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <WriteButton
            type="submit"
            kind="main"
            isBusy={create.isPending}
            disabledReason={chosen.length === 0 ? 'Select at least one permission.' : undefined}
          >
            Create
          </WriteButton>
        </div>
      </form>
    </Dialog>
  )
}

import { type ReactNode, useState } from 'react'
import { answerOf } from '../api/answer-of.ts'
import { useConsole } from '../api/console-context.ts'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'
import { Badge } from '../ui/badge.tsx'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Time } from '../ui/time.tsx'
import '../ui/table.css'

type Token = Schemas['AccessToken']

const tones = { valid: 'ok', expired: 'warn', revoked: 'still' } as const

export function TokenTable({ tokens }: { tokens: Token[] }): ReactNode {
  const { api } = useConsole()
  const [selected, setSelected] = useState<Token>()
  const revoke = useAct({
    send: ({ id }: Token) =>
      answerOf(api.DELETE('/api/v1/tokens/{id}', { params: { path: { id } } })),
    invalidates: ['tokens'],
    successText: (_answer, { name }) => `Token ${name} revoked.`,
    onDone: () => setSelected(undefined),
  })
  return (
    <div className="table-scroll">
      <table className="table">
        <caption>Access tokens</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">Scopes</th>
            <th scope="col">Profile</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <th scope="row">
                <PlainText>{token.name}</PlainText>
              </th>
              <td className="is-narrow">
                <Badge tone={tones[token.state]}>{token.state}</Badge>
              </td>
              <td>
                <code>{token.scopes.join(' ')}</code>
              </td>
              <td>{token.profile ? <PlainText>{token.profile}</PlainText> : '–'}</td>
              <td className="is-narrow is-muted">
                <Time of={token.createdAt} style="relative" />
              </td>
              <td className="is-narrow is-muted">
                {token.lastUsedAt ? <Time of={token.lastUsedAt} style="relative" /> : 'never'}
              </td>
              <td className="is-narrow is-muted">
                {token.expiresAt ? <Time of={token.expiresAt} style="relative" /> : 'never'}
              </td>
              <td className="is-narrow">
                {token.state === 'valid' && (
                  <WriteButton
                    kind="danger"
                    aria-label={`Revoke ${token.name}`}
                    onClick={() => setSelected(token)}
                  >
                    Revoke
                  </WriteButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {selected && (
        <ConfirmDialog
          title="Revoke this token?"
          action="Revoke"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(selected)}
          onClose={() => setSelected(undefined)}
        >
          <p>
            Requests with the token <PlainText>{selected.name}</PlainText> are rejected from now on.
            This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

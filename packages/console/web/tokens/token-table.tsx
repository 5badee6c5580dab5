import { type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import { answerOf, type Schemas } from '../api/create-api.ts'
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
  const [asked, setAsked] = useState<Token>()
  const revoke = useAct({
    ask: ({ id }: Token) =>
      answerOf(api.DELETE('/api/v1/tokens/{id}', { params: { path: { id } } })),
    changes: ['tokens'],
    says: (_answer, { name }) => `The token ${name} is revoked.`,
    done: () => setAsked(undefined),
  })
  return (
    <div className="table-scroll">
      <table className="table">
        <caption>Access tokens</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col">For</th>
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
                    onClick={() => setAsked(token)}
                  >
                    Revoke
                  </WriteButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked && (
        <ConfirmDialog
          title="Revoke this token?"
          action="Revoke it"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            Whoever uses <PlainText>{asked.name}</PlainText> is refused from now on. It cannot be
            taken back.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

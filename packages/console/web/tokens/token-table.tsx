import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { Badge } from '../ui/badge.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

type Token = Schemas['AccessToken']

const tones = { valid: 'ok', expired: 'warn', revoked: 'still' } as const

const timeColumn = (head: string, timeOf: (token: Token) => string | undefined): Column<Token> =>
  column(head, 'is-narrow is-muted', (token) => {
    const time = timeOf(token)
    return time ? <Time of={time} style="relative" /> : 'never'
  })

const columns: readonly Column<Token>[] = [
  column('Name', '', ({ name }) => <PlainText>{name}</PlainText>),
  column('State', 'is-narrow', ({ state }) => <Badge tone={tones[state]}>{state}</Badge>),
  column('Scopes', '', ({ scopes }) => <code>{scopes.join(' ')}</code>),
  column('Profile', '', ({ profile }) => (profile ? <PlainText>{profile}</PlainText> : '–')),
  timeColumn('Created', ({ createdAt }) => createdAt),
  timeColumn('Last used', ({ lastUsedAt }) => lastUsedAt),
  timeColumn('Expires', ({ expiresAt }) => expiresAt),
  column('Actions', 'is-narrow', (token) => token.state === 'valid' && <Revoke token={token} />),
]

export function TokenTable({ tokens }: { tokens: Token[] }): ReactNode {
  return <Table caption="Access tokens" columns={columns} rows={tokens} keyOf={({ id }) => id} />
}

function Revoke({ token: { id, name } }: { token: Token }): ReactNode {
  return (
    <ConfirmButton
      action="Revoke"
      label={`Revoke ${name}`}
      title="Revoke this token?"
      send={(api) => api.DELETE('/api/v1/tokens/{id}', { params: { path: { id } } })}
      invalidates={['tokens']}
      successText={() => `Token ${name} revoked.`}
    >
      <p>
        Requests with the token <PlainText>{name}</PlainText> are rejected from now on. This cannot
        be undone.
      </p>
    </ConfirmButton>
  )
}

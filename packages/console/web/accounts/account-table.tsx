import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { launchColumn, stateColumn } from '../servers/server-table.tsx'
import { serverPath } from '../text/paths.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { SignInActions } from './sign-in-actions.tsx'

type Server = Schemas['Server']

const signIns: Record<NonNullable<Server['signIn']>, readonly [Tone, string]> = {
  'signed in': ['ok', 'Signed in'],
  expired: ['warn', 'Expired'],
  none: ['still', 'Not signed in'],
}

const columns: readonly Column<Server>[] = [
  column('Server', '', ({ unit, name }) => (
    <Link href={serverPath(unit)}>
      <PlainText>{name}</PlainText>
    </Link>
  )),
  column('Account', '', ({ account }) => (account ? <PlainText>{account}</PlainText> : '–')),
  launchColumn,
  stateColumn,
  column('Sign-in', 'is-narrow', ({ signIn }) =>
    signIn ? (
      <Badge tone={signIns[signIn][0]}>{signIns[signIn][1]}</Badge>
    ) : (
      <span className="is-muted">not required</span>
    ),
  ),
  column('Actions', 'is-narrow', (server) => server.signIn && <SignInActions server={server} />),
]

export function AccountTable({ servers }: { servers: Server[] }): ReactNode {
  return (
    <Table
      caption="Sign-ins and accounts"
      columns={columns}
      rows={servers}
      keyOf={({ unit }) => unit}
    />
  )
}

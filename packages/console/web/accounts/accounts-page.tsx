import { Link } from 'wouter'
import { useServers } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { SignInButton } from '../servers/server-actions.tsx'
import { launchColumn, stateColumn } from '../servers/server-table.tsx'
import { serverPath } from '../text/paths.ts'
import { ConfirmButton } from '../ui/dialog.tsx'
import { Answered, Empty, Page, Panel } from '../ui/page.tsx'
import { Badge, PlainText, type Tone } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'

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

export function AccountsPage() {
  const query = useServers()
  return (
    <Page
      title="Accounts"
      intro="Sign-ins to servers, and servers with several accounts. Tokens stay on the machine of the aggregator."
    >
      <Panel title="Sign-ins and accounts" isFlush>
        <Answered query={query} lines={8}>
          {(servers) => {
            const rows = servers.filter(
              ({ account, signIn }) => account !== undefined || signIn !== undefined,
            )
            return rows.length === 0 ? (
              <Empty title="No server requires a sign-in" command="aggregator-mcp login SERVER">
                Servers over HTTP are listed here once they require a sign-in, and servers with
                accounts. On the command line:
              </Empty>
            ) : (
              <Table
                caption="Sign-ins and accounts"
                columns={columns}
                rows={rows}
                keyOf={({ unit }) => unit}
              />
            )
          }}
        </Answered>
      </Panel>
    </Page>
  )
}

const outcomes = {
  none: 'There was no sign-in.',
  forgotten: 'Signed out here. The tokens could not be revoked at the server.',
  revoked: 'Signed out. The tokens were revoked and deleted.',
} as const

function SignInActions({ server }: { server: Schemas['Server'] }) {
  const { unit, signIn: state } = server
  return (
    <div className="button-row">
      <SignInButton unit={unit}>{state === 'signed in' ? 'Sign in again' : 'Sign in'}</SignInButton>
      {state !== 'none' && (
        <ConfirmButton
          action="Sign out"
          label={`Sign out of ${unit}`}
          title="Sign out?"
          send={(api) =>
            api.DELETE('/api/v1/servers/{unit}/sign-in', { params: { path: { unit } } })
          }
          invalidates={['servers', 'server']}
          successText={({ outcome }) => outcomes[outcome]}
        >
          <p>
            The tokens for <PlainText>{unit}</PlainText> are deleted here, and revoked if the server
            supports that. Calls fail until someone signs in again.
          </p>
        </ConfirmButton>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { serverStates } from '../servers/server-states.ts'
import { serverPath } from '../text/paths.ts'
import { Badge, Dot, type Tone } from '../ui/badge.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { SignInActions } from './sign-in-actions.tsx'
import '../ui/table.css'

type Server = Schemas['Server']

const signIns: Record<NonNullable<Server['signIn']>, readonly [Tone, string]> = {
  'signed in': ['ok', 'Signed in'],
  expired: ['warn', 'Expired'],
  none: ['still', 'Not signed in'],
}

export function AccountTable({ servers }: { servers: Server[] }): ReactNode {
  return (
    <div className="table-scroll">
      <table className="table">
        <caption>Sign-ins and accounts</caption>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Account</th>
            <th scope="col">Command or URL</th>
            <th scope="col">State</th>
            <th scope="col">Sign-in</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <tr key={server.unit}>
              <th scope="row">
                <Link href={serverPath(server.unit)}>
                  <PlainText>{server.name}</PlainText>
                </Link>
              </th>
              <td>{server.account ? <PlainText>{server.account}</PlainText> : '–'}</td>
              <td className="is-clip is-muted">
                <PlainText isClipped isCode>
                  {server.launch}
                </PlainText>
              </td>
              <td className="is-narrow">
                <Dot tone={serverStates[server.state][0]}>{serverStates[server.state][1]}</Dot>
              </td>
              <td className="is-narrow">
                {server.signIn ? (
                  <Badge tone={signIns[server.signIn][0]}>{signIns[server.signIn][1]}</Badge>
                ) : (
                  <span className="is-muted">not required</span>
                )}
              </td>
              <td className="is-narrow">{server.signIn && <SignInActions server={server} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

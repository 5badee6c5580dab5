import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { formatCount, formatTokens } from '../text/numbers.ts'
import { serverPath } from '../text/paths.ts'
import { Badge, Dot } from '../ui/badge.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { ServerActions } from './server-actions.tsx'
import { serverStates } from './server-states.ts'
import '../ui/table.css'
import './server-table.css'

export function ServerTable({ servers }: { servers: Schemas['Server'][] }): ReactNode {
  return (
    <div className="table-scroll">
      <table className="table server-table">
        <caption>Servers with their state, cost and calls</caption>
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">State</th>
            <th scope="col">Command or URL</th>
            <th scope="col" className="is-number">
              Tools
            </th>
            <th scope="col" className="is-number">
              <abbr title="What its definitions would cost a client on every turn without Pith">
                Tokens
              </abbr>
            </th>
            <th scope="col" className="is-number">
              Calls
            </th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <tr key={server.unit}>
              <th scope="row" className="is-clip server-name">
                <Link href={serverPath(server.unit)}>
                  <PlainText isClipped>{server.unit}</PlainText>
                </Link>
                {server.description && (
                  <small>
                    <PlainText isClipped>{server.description}</PlainText>
                  </small>
                )}
              </th>
              <td className="is-narrow">
                <Dot tone={serverStates[server.state][0]}>{serverStates[server.state][1]}</Dot>
              </td>
              <td className="is-clip is-muted">
                <PlainText isClipped isCode>
                  {server.launch}
                </PlainText>
              </td>
              <td className="is-number">
                {server.isKnown ? formatCount(server.tools) : '–'}
                {server.heldTools > 0 && (
                  <>
                    {' '}
                    <Badge tone="warn">{server.heldTools} held</Badge>
                  </>
                )}
              </td>
              <td className="is-number">{server.isKnown ? formatTokens(server.tokens) : '–'}</td>
              <td className="is-number">{formatCount(server.calls)}</td>
              <td className="is-narrow">
                <ServerActions server={server} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useServers } from '../api/use-answers.ts'
import { serverStates } from '../servers/server-states.ts'
import { countOf } from '../text/numbers.ts'
import { serverPath } from '../text/paths.ts'
import { Answered } from '../ui/answered.tsx'
import { Dot } from '../ui/badge.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import './health-panel.css'

const order = Object.keys(serverStates)

export function HealthPanel(): ReactNode {
  const query = useServers()
  const ready = query.data?.filter(({ state }) => state === 'ready').length
  return (
    <Panel title="Servers" aside={query.data && `${ready} of ${query.data.length} ready`}>
      <Answered query={query} lines={5}>
        {(servers) =>
          servers.length === 0 ? (
            <Empty
              title="No servers yet"
              command="aggregator-mcp add github -- npx -y @modelcontextprotocol/server-github"
            >
              Add one on the Servers page, or on the command line:
            </Empty>
          ) : (
            <ul className="health">
              {[...servers]
                .sort(
                  (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.calls - a.calls,
                )
                .slice(0, 24)
                .map((server) => (
                  <li key={server.unit}>
                    <Link href={serverPath(server.unit)}>
                      <Dot tone={serverStates[server.state][0]}>
                        <PlainText isClipped>{server.unit}</PlainText>
                      </Dot>
                      <small>
                        {serverStates[server.state][1]} · {countOf(server.tools, 'tool')} ·{' '}
                        {countOf(server.calls, 'call')}
                      </small>
                    </Link>
                  </li>
                ))}
            </ul>
          )
        }
      </Answered>
    </Panel>
  )
}

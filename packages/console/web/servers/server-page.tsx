import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { useServer } from '../api/use-answers.ts'
import { countOf } from '../text/numbers.ts'
import { pathWith } from '../text/paths.ts'
import { Answered } from '../ui/answered.tsx'
import { Dot } from '../ui/badge.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { CheckupPanel } from './checkup-panel.tsx'
import { InstancesPanel } from './instances-panel.tsx'
import { RemoveServer } from './remove-server.tsx'
import { ServerActions } from './server-actions.tsx'
import { ServerFacts } from './server-facts.tsx'
import { serverStates } from './server-states.ts'
import './server-page.css'

export function ServerPage({ unit }: { unit: string }): ReactNode {
  const query = useServer(unit)
  return (
    <Page
      title={unit}
      heading={<PlainText>{unit}</PlainText>}
      intro={query.data?.description && <PlainText>{query.data.description}</PlainText>}
      actions={
        query.data && (
          <>
            <span role="status">
              <Dot tone={serverStates[query.data.state][0]}>
                {serverStates[query.data.state][1]}
              </Dot>
            </span>
            <ServerActions server={query.data} />
            <RemoveServer server={query.data} />
          </>
        )
      }
    >
      <Answered query={query} lines={12} link={<Link href="/servers">All servers</Link>}>
        {(server) => <Details server={server} />}
      </Answered>
    </Page>
  )
}

function Details({ server }: { server: Schemas['ServerDetail'] }): ReactNode {
  const message = server.problem ?? (server.state === 'ready' ? undefined : server.lastError)
  return (
    <>
      {message && (
        <div className="server-problem" role="status">
          <PlainText>{message}</PlainText>
        </div>
      )}
      <div className="server-grid">
        <ServerFacts server={server} />
        <CheckupPanel unit={server.unit} />
      </div>
      <Panel
        title="stderr"
        aside={server.stderr.length > 0 && `Last ${countOf(server.stderr.length, 'line')}`}
      >
        {server.stderr.length === 0 ? (
          <Empty title="No output on stderr">
            {server.type === 'stdio'
              ? 'Output of the process is shown here, with secrets redacted.'
              : 'Servers over HTTP have no stderr.'}
          </Empty>
        ) : (
          <CodeBlock label="stderr">{server.stderr.join('\n')}</CodeBlock>
        )}
      </Panel>
      <InstancesPanel instances={server.instances} />
      {server.instructions && (
        <Panel title="Instructions for models">
          <CodeBlock label="Instructions">{server.instructions}</CodeBlock>
        </Panel>
      )}
      <p className="server-links">
        <Link href={pathWith('/tools', { server: server.name })}>Tools of this server</Link> ·{' '}
        <Link href={pathWith('/journal', { server: server.name })}>Calls of this server</Link> ·{' '}
        <Link href={pathWith('/pins', { server: server.name })}>Pins of this server</Link>
      </p>
    </>
  )
}

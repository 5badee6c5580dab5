import { valueAt } from '@pith-mcp/base/table'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useAct, useConfig, useServer } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { countOf, formatBytes, formatCount, formatMilliseconds } from '../text/numbers.ts'
import { pathWith } from '../text/paths.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { Answered, CodeBlock, Facts, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { Badge, Dot, PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { EditServer } from './edit-server.tsx'
import { ServerActions } from './server-actions.tsx'
import { CallsPanel } from './server-calls.tsx'
import { ItemsPanel } from './server-items.tsx'
import { LogPanel } from './server-log.tsx'
import { serverStates } from './server-states.ts'
import { ToolSwitches } from './tool-switches.tsx'
import './server-page.css'

export function ServerPage({ unit }: { unit: string }) {
  const query = useServer(unit)
  const { files } = useConfig().data ?? {}
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
            <EditServer name={query.data.name} />
            <RemoveServer server={query.data} />
          </>
        )
      }
    >
      <Answered query={query} lines={12} link={<Link href="/servers">All servers</Link>}>
        {(server) => (
          <Details server={server.type ? server : { ...server, ...kindIn(files, server.name) }} />
        )}
      </Answered>
    </Page>
  )
}

/** How a disabled server is started, as the configuration has it. */
function kindIn(files: readonly object[] = [], name: string) {
  const entry = files.map((file) => valueAt(file, ['mcpServers', name])).find(Boolean)
  const command = valueAt(entry, ['command'])
  const type = command === undefined ? ('http' as const) : ('stdio' as const)
  return entry ? { type, launch: String(command ?? valueAt(entry, ['url']) ?? '') } : {}
}

function Details({ server }: { server: Schemas['ServerDetail'] }) {
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
      <ToolSwitches server={server.name} />
      <InstancesPanel instances={server.instances} />
      <LogPanel server={server} />
      <CallsPanel server={server} />
      {server.state !== 'disabled' && <ItemsPanel server={server} />}
      {server.instructions && (
        <Panel title="Instructions for models">
          <CodeBlock label="Instructions">{server.instructions}</CodeBlock>
        </Panel>
      )}
      <p className="server-links">
        <Link href={pathWith('/tools', { server: server.name })}>Tools of this server</Link> ·{' '}
        <Link href={pathWith('/pins', { server: server.name })}>Review of this server</Link>
      </p>
    </>
  )
}

function CheckupPanel({ unit }: { unit: string }) {
  const check = useAct({
    send: (api) => api.POST('/api/v1/servers/{unit}/check', { params: { path: { unit } } }),
    invalidates: [],
    isQuiet: true,
  })
  return (
    <Panel
      title="Health check"
      aside={
        <>
          {check.data && (
            <Badge tone={check.data.isHealthy ? 'ok' : 'bad'}>
              {check.data.isHealthy ? 'No problems' : 'Problems found'}
            </Badge>
          )}
          <WriteButton isBusy={check.isPending} onClick={() => check.mutate(undefined)}>
            {check.isPending ? 'Checking…' : check.data ? 'Check again' : 'Check'}
          </WriteButton>
        </>
      }
    >
      <div aria-live="polite">
        {check.error && <ProblemNote error={check.error} />}
        {check.data ? (
          <ul className="checkup">
            {check.data.lines.map((line, index) => (
              <li key={index}>
                <PlainText>{line}</PlainText>
              </li>
            ))}
          </ul>
        ) : (
          <p>
            Starts the server next to the running one, lists what it offers, and reports problems.
          </p>
        )}
      </div>
    </Panel>
  )
}

/** Buttons that disable or remove a server in the configuration. */
function RemoveServer({ server }: { server: Schemas['Server'] }) {
  const [, navigate] = useLocation()
  const { name, state } = server
  const path = { name }
  const isOff = state === 'disabled'
  const toggle = useAct({
    send: (api) =>
      api.PATCH('/api/v1/servers/{name}', { params: { path }, body: { enabled: isOff } }),
    invalidates: ['servers', 'server', 'receipt', 'tools'],
    successText: () => `${name} ${isOff ? 'enabled' : 'disabled'} in the configuration.`,
  })
  return (
    <>
      <WriteButton isBusy={toggle.isPending} onClick={() => toggle.mutate(undefined)}>
        {isOff ? 'Enable' : 'Disable'}
      </WriteButton>
      <ConfirmButton
        action="Remove"
        isAdmin
        title="Remove this server?"
        send={(api) => api.DELETE('/api/v1/servers/{name}', { params: { path } })}
        invalidates={['servers', 'receipt', 'tools']}
        successText={() => `${name} removed from the configuration.`}
        onDone={() => navigate('/servers')}
      >
        <p>
          <PlainText>{name}</PlainText> and all its accounts are removed from the configuration
          file. To keep its settings, disable it instead.
        </p>
      </ConfirmButton>
    </>
  )
}

function ServerFacts({ server }: { server: Schemas['ServerDetail'] }) {
  const { serverInfo, signIn } = server
  const facts: [string, ReactNode][] = [
    [
      'Command or URL',
      <PlainText key="launch" isCode>
        {server.launch}
      </PlainText>,
    ],
    ['Transport', server.type ?? '–'],
    [
      'Server info',
      serverInfo && (
        <PlainText key="info">{`${serverInfo.name} ${serverInfo.version ?? ''}`}</PlainText>
      ),
    ],
    ['Protocol', server.era && (server.era === 'modern' ? '2026-07-28' : '2025 or earlier')],
    [
      'Offers',
      server.isKnown ? (
        <>
          <Link href={pathWith('/tools', { server: server.name })}>
            {countOf(server.tools, 'tool')}
          </Link>
          , {countOf(server.prompts, 'prompt')}, {countOf(server.resources, 'resource')}
        </>
      ) : (
        'unknown until the first start'
      ),
    ],
    ['Hidden tools', server.heldTools > 0 && countOf(server.heldTools, 'tool')],
    ['Definition cost', server.isKnown && `${countOf(server.tokens, 'token')} on every turn`],
    ['Calls', `${formatCount(server.calls)} since the aggregator started`],
    ['Starts', formatCount(server.starts)],
    ['Sandbox', server.sandbox],
    [
      'Sign-in',
      signIn && <Link href="/accounts">{signIn === 'none' ? 'not signed in' : signIn}</Link>,
    ],
    [
      'Tags',
      server.tags.length > 0 && (
        <span className="button-row">
          {server.tags.map((tag) => (
            <Badge key={tag} tone="still">
              {tag}
            </Badge>
          ))}
        </span>
      ),
    ],
  ]
  return (
    <Panel title="About">
      <Facts of={facts} />
    </Panel>
  )
}

const tones = { ready: 'ok', starting: 'info', down: 'bad', stopped: 'still' } as const

const columns: readonly Column<Schemas['Instance']>[] = [
  column('State', 'is-narrow', ({ state, retryInMs }) => (
    <>
      <Dot tone={tones[state]}>{state}</Dot>
      {retryInMs > 0 && ` · retry in ${formatMilliseconds(retryInMs)}`}
    </>
  )),
  column('Process', 'is-number', ({ pid }) => pid ?? '–'),
  column('Ready since', 'is-narrow', ({ readyAt }) =>
    readyAt ? <Time of={readyAt} style="relative" /> : '–',
  ),
  column('Memory', 'is-number', ({ memory }) => (memory ? formatBytes(memory) : '–')),
  column('Calls', 'is-number', ({ calls }) => formatCount(calls)),
  column('Starts', 'is-number', ({ starts }) => formatCount(starts)),
  column('Failures', 'is-number', ({ failures }) => formatCount(failures)),
  column('Last error', 'is-clip is-muted', ({ lastError }) => (
    <PlainText isClipped>{lastError ?? '–'}</PlainText>
  )),
]

/** A server may run several times, for clients with different capabilities. */
function InstancesPanel({ instances }: { instances: Schemas['Instance'][] }) {
  if (instances.length === 0) return null
  return (
    <Panel title="Instances" isFlush>
      <Table
        caption="Instances of the server"
        columns={columns}
        rows={instances}
        keyOf={(_, index) => index}
        isUnnamed
      />
    </Panel>
  )
}

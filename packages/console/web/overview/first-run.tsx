import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useAct, useAttention, useClients, useServers, useUsage } from '../api/hooks.ts'
import { countOf } from '../text/numbers.ts'
import { WriteButton } from '../ui/button.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import './first-run.css'

/** The steps until a client makes its first call, which ends this card for good. */
export function FirstRun() {
  const callers = useUsage({ by: 'caller', since: '400d', limit: 200 }).data
  // The console calls tools as well, in the name of its user.
  const calls = callers?.groups.filter(({ name }) => !/^(?:owner$|session:)/.test(name))
  const isDone = calls?.some(({ usage }) => usage.calls > 0)
  return isDone === false ? <Steps /> : null
}

interface Step {
  name: string
  isDone: boolean
  text: string
  action: (className: string) => ReactNode
}

function Steps() {
  const servers = useServers().data?.filter(({ state }) => state !== 'disabled') ?? []
  const { clients = [], others = [] } = useClients().data ?? {}
  const start = useAct({
    send: (api) => api.POST('/api/v1/receipt'),
    invalidates: ['receipt', 'servers', 'tools', 'attention'],
  })
  const known = servers.filter(({ isKnown }) => isKnown).length
  const tools = servers.reduce((sum, server) => sum + server.tools, 0)
  const held = (useAttention().data ?? []).filter(({ kind }) => kind === 'tools_held')
  const waiting = held.reduce((sum, { count = 0 }) => sum + count, 0)
  const own = clients.filter(({ entries }) => entries.length > 0).map(({ title }) => title)
  const steps: readonly Step[] = [
    {
      name: 'Servers answer',
      isDone: known > 0,
      text: `${known} of ${countOf(servers.length, 'server')} answered.`,
      action: (className) =>
        servers.length === 0 ? (
          <Link href="/servers" className={className}>
            Add a server
          </Link>
        ) : (
          <WriteButton isBusy={start.isPending} onClick={() => start.mutate(undefined)}>
            Start servers
          </WriteButton>
        ),
    },
    {
      name: 'Review tools',
      isDone: tools > 0 && waiting === 0,
      text: `Clients can call ${countOf(tools, 'tool')}. ${countOf(waiting, 'tool')} ${waiting === 1 ? 'waits' : 'wait'} for your approval.`,
      action: link('/pins', 'Review the tools'),
    },
    {
      name: 'Connect a client',
      isDone: others.length > 0 || clients.some(({ lastSeen }) => lastSeen),
      text:
        own.length > 0
          ? `${own.join(', ')} can start it, and did not yet. Restart the client.`
          : `${countOf(clients.filter(({ isInstalled }) => isInstalled).length, 'client')} found on this computer.`,
      action: link('/clients', 'Connect a client'),
    },
    {
      name: 'First call',
      isDone: false,
      text: 'Ask the client for something that a tool of yours can do.',
      action: link('/live', 'Watch the calls'),
    },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section className="hero" aria-label="First steps">
      <ol className="first-run">
        {steps.map(({ name, isDone, text, action }, index) => (
          <li key={name}>
            <h2>{name}</h2>
            <Badge tone={isDone ? 'ok' : index === next ? 'info' : 'still'}>
              {isDone ? 'done' : index === next ? 'next' : 'waits'}
            </Badge>
            <p>
              <PlainText>{text}</PlainText>
            </p>
            {!isDone && action(`button${index === next ? ' is-main' : ''}`)}
          </li>
        ))}
      </ol>
    </section>
  )
}

const link = (href: string, text: string) => (className: string) => (
  <Link href={href} className={className}>
    {text}
  </Link>
)

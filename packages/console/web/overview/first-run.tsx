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
  const clients = callers?.groups.filter(({ name }) => !/^(?:owner$|session:)/.test(name))
  return clients?.every(({ usage }) => usage.calls === 0) ? <Steps /> : null
}

function Steps() {
  const steps = useSteps()
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section className="hero" aria-label="First steps">
      <ol className="first-run">
        {steps.map(({ name, isDone, text, action }, index) => (
          <li key={name}>
            <h2>{name}</h2>{' '}
            <Badge tone={isDone ? 'ok' : index === next ? 'info' : 'still'}>
              {isDone ? 'done' : index === next ? 'next' : 'waits'}
            </Badge>
            <p>
              <PlainText>{text}</PlainText>
            </p>
            {!isDone && action && (
              <Link href={action[0]} className={index === next ? 'button is-main' : 'button'}>
                {action[1]}
              </Link>
            )}
            {!isDone && !action && <StartButton />}
          </li>
        ))}
      </ol>
    </section>
  )
}

function StartButton() {
  const start = useAct({
    send: (api) => api.POST('/api/v1/receipt'),
    invalidates: ['receipt', 'servers', 'tools', 'attention'],
  })
  return (
    <WriteButton isBusy={start.isPending} onClick={() => start.mutate(undefined)}>
      Start servers
    </WriteButton>
  )
}

interface Step {
  name: string
  isDone: boolean
  text: string
  /** The page where it is done. Servers are started here. */
  action: readonly [page: string, text: string] | undefined
}

function useSteps(): readonly Step[] {
  const servers = useServers().data?.filter(({ state }) => state !== 'disabled') ?? []
  const items = useAttention().data?.filter(({ kind }) => kind === 'tools_held') ?? []
  const clients = useClients().data?.clients ?? []
  const answers = servers.filter(({ isKnown }) => isKnown).length
  const tools = servers.reduce((sum, server) => sum + server.tools, 0)
  const reviews = items.reduce((sum, { count = 0 }) => sum + count, 0)
  const titlesOf = (those: typeof clients) => those.map(({ title }) => title).join(', ')
  const seen = titlesOf(clients.filter(({ lastSeen }) => lastSeen))
  const entries = titlesOf(clients.filter((client) => client.entries.length > 0))
  const installed = clients.filter(({ isInstalled }) => isInstalled).length
  return [
    {
      name: 'Servers answer',
      isDone: answers > 0,
      text: `${answers} of ${countOf(servers.length, 'server')} answered.`,
      action: servers.length === 0 ? ['/servers', 'Add a server'] : undefined,
    },
    {
      name: 'Review tools',
      isDone: tools > 0 && reviews === 0,
      text: `Clients can call ${countOf(tools, 'tool')}. For your approval: ${countOf(reviews, 'tool')}.`,
      action: ['/pins', 'Review the tools'],
    },
    {
      name: 'Connect a client',
      isDone: seen !== '',
      text:
        (seen && `Connected: ${seen}.`) ||
        (entries && `Restart to use the entry: ${entries}.`) ||
        `${countOf(installed, 'client')} found on the computer of the aggregator.`,
      action: ['/clients', 'Connect a client'],
    },
    {
      name: 'First call',
      isDone: false,
      text: 'Ask the client for something that one of your tools does.',
      action: ['/live', 'Watch calls'],
    },
  ]
}

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useConsole } from '../api/console-context.ts'
import { usePins, useServers, useUsage } from '../api/use-answers.ts'
import { needsAttention, serverStates } from '../servers/server-states.ts'
import { countOf } from '../text/numbers.ts'
import { pathWith, serverPath } from '../text/paths.ts'
import { Dot, type Tone } from '../ui/badge.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import './attention-panel.css'

interface Concern {
  key: string
  tone: Tone
  path: string
  title: string
  more: string
}

const maxShown = 6

/** Problems and approvals that need a person. */
export function AttentionPanel(): ReactNode {
  const { session } = useConsole()
  const servers = useServers()
  const pins = usePins()
  const outcomes = useUsage({ by: 'outcome', since: '24h', limit: 50 })
  const error = servers.error ?? pins.error
  const isReady = servers.data && pins.data

  const { journalLoss } = session
  const concerns: Concern[] = [
    ...(journalLoss
      ? [
          {
            key: 'journal',
            tone: 'bad' as const,
            path: '/journal',
            title: 'Journal',
            more: `${countOf(journalLoss.lines, 'line')} could not be written: ${journalLoss.message}`,
          },
        ]
      : []),
    ...(servers.data ?? []).filter(needsAttention).map((server) => ({
      key: `server ${server.unit}`,
      tone: serverStates[server.state][0],
      path: serverPath(server.unit),
      title: server.unit,
      more: `${serverStates[server.state][1]}${reasonOf(server.problem ?? server.lastError)}`,
    })),
    ...(pins.data ?? [])
      .filter(({ waiting }) => waiting.length > 0)
      .map(({ server, waiting }) => ({
        key: `pins ${server}`,
        tone: 'warn' as const,
        path: pathWith('/pins', { server }),
        title: server,
        more: `${countOf(waiting.length, 'tool')} changed and ${waiting.length === 1 ? 'waits' : 'wait'} for approval`,
      })),
    ...(outcomes.data?.groups ?? [])
      .filter(({ name }) => name === 'rejected')
      .map(({ name, usage }) => ({
        key: name,
        tone: 'warn' as const,
        path: pathWith('/journal', { outcome: 'rejected', since: '24h' }),
        title: 'Rejected',
        more: `${countOf(usage.calls, 'request')} in 24 hours, because of rules or limits`,
      })),
  ]

  return (
    <Panel
      title="Needs attention"
      aside={isReady && concerns.length > 0 && concerns.length}
      isFlush
    >
      {error && <ProblemNote error={error} />}
      {!isReady && !error && <Skeleton lines={5} />}
      {isReady && concerns.length === 0 && (
        <Empty title="No problems">Nothing needs your attention.</Empty>
      )}
      {concerns.length > 0 && (
        <ul className="concerns">
          {concerns.slice(0, maxShown).map(({ key, tone, path, title, more }) => (
            <li key={key}>
              <Link href={path}>
                <Dot tone={tone}>
                  <PlainText isClipped>{title}</PlainText>
                </Dot>
                <span>
                  <PlainText isClipped>{more}</PlainText>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {concerns.length > maxShown && (
        <p className="concerns-more">
          and {concerns.length - maxShown} more on <Link href="/servers">Servers</Link> and{' '}
          <Link href="/pins">Pins</Link>
        </p>
      )}
    </Panel>
  )
}

const reasonOf = (text: string | undefined) => (text ? `: ${text}` : '')

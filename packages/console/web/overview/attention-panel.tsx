import { Link } from 'wouter'
import type { Schemas } from '../api/answer-of.ts'
import { useConsole, useIdleSettings, usePins, useServers, useUsage } from '../api/hooks.ts'
import { needsAttention, serverStates } from '../servers/server-states.ts'
import { countOf } from '../text/numbers.ts'
import { pathWith, serverPath } from '../text/paths.ts'
import { Empty, Panel, ProblemNote, Skeleton } from '../ui/page.tsx'
import { Dot, PlainText, type Tone } from '../ui/plain-text.tsx'
import './attention-panel.css'

const maxShown = 6

/** Problems and approvals that need a person. */
export function AttentionPanel() {
  const { concerns, isReady, error } = useConcerns()
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
          <Link href="/pins">Review</Link>
        </p>
      )}
    </Panel>
  )
}

/** A problem or approval that needs a person. */
interface Concern {
  key: string
  tone: Tone
  path: string
  title: string
  more: string
}

/** Those that are known so far. */
function useConcerns() {
  const { journalLoss } = useConsole().session
  const idle = useIdleSettings()
  const servers = useServers()
  const pins = usePins()
  const outcomes = useUsage({ by: 'outcome', since: '24h', limit: 50 })
  return {
    concerns: [
      ...(journalLoss ? [lossConcern(journalLoss)] : []),
      ...(idle.data ?? []).map(settingConcern),
      ...(servers.data ?? []).filter(needsAttention).map(serverConcern),
      ...(pins.data ?? []).filter(({ waitCount }) => waitCount > 0).map(pinsConcern),
      ...(outcomes.data?.groups ?? [])
        .filter(({ name }) => name === 'rejected')
        .map(({ usage }) => rejectionsConcern(usage.calls)),
    ],
    isReady: servers.data !== undefined && pins.data !== undefined,
    error: servers.error ?? pins.error,
  }
}

const lossConcern = ({
  lines,
  message,
}: NonNullable<Schemas['Session']['journalLoss']>): Concern => ({
  key: 'journal',
  tone: 'bad',
  path: '/journal',
  title: 'Journal',
  more: `${countOf(lines, 'line')} could not be written: ${message}`,
})

const settingConcern = (text: string): Concern => ({
  key: text,
  tone: 'warn',
  path: text.startsWith('aggregator.profiles.') ? '/profiles' : '/servers',
  title: 'Configuration',
  more: text,
})

const serverConcern = ({ unit, state, problem, lastError }: Schemas['Server']): Concern => {
  const [tone, name] = serverStates[state]
  const reason = problem ?? lastError
  return {
    key: `server ${unit}`,
    tone,
    path: serverPath(unit),
    title: unit,
    more: reason ? `${name}: ${reason}` : name,
  }
}

const pinsConcern = ({ server, waitCount }: Schemas['PinnedServer']): Concern => ({
  key: `pins ${server}`,
  tone: 'warn',
  path: pathWith('/pins', { server }),
  title: server,
  more: `${countOf(waitCount, 'tool')} ${waitCount === 1 ? 'waits' : 'wait'} for approval`,
})

const rejectionsConcern = (requests: number): Concern => ({
  key: 'rejected',
  tone: 'warn',
  path: pathWith('/journal', { outcome: 'rejected', since: '24h' }),
  title: 'Rejected',
  more: `${countOf(requests, 'request')} in 24 hours, because of rules or limits`,
})

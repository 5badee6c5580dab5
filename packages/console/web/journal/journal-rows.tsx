import { Link } from 'wouter'
import type { Schemas } from '../api/answer-of.ts'
import { formatMilliseconds, formatTokens } from '../text/numbers.ts'
import { serverPath, toolPath } from '../text/paths.ts'
import { zone } from '../text/times.ts'
import { Badge, PlainText, Time, type Tone } from '../ui/plain-text.tsx'
import { type Column, column } from '../ui/table.tsx'
import './journal-rows.css'

type Line = Schemas['JournalLine']

/** What lines are called that are not of a server. */
export const kindNames: Readonly<Record<Line['kind'], string>> = {
  call: 'call',
  meta: 'meta-tools',
  read: 'read',
  ask: 'question',
  list: 'lists',
  admin: 'change',
  event: 'event',
}

/** A credential by its name: its id is in the details. */
const callerName = (caller: string): string =>
  caller.replace(/^(token|jwt):(.*)#[^#]*$/s, (_, kind, name) => `${name} (${kind})`)

function outcomeTone(outcome: string): Tone {
  if (outcome === 'ok') return 'ok'
  return outcome === 'rejected' || outcome === 'cancelled' ? 'warn' : 'bad'
}

export const journalColumns = (timeStyle: 'clock' | 'second'): readonly Column<Line>[] => [
  column(`Time (${zone})`, 'is-muted', ({ time }) => <Time of={time} style={timeStyle} />),
  column('Server', 'is-clip', ({ module, account, kind }) => {
    if (!module) return <span className="is-muted">{kindNames[kind]}</span>
    const unit = account ? `${module}@${account}` : module
    return (
      <Link href={serverPath(unit)}>
        <PlainText isClipped>{unit}</PlainText>
      </Link>
    )
  }),
  column('Tool', 'is-clip', ({ tool, module, kind, target, via, message }) =>
    tool && module && kind === 'call' ? (
      <Link href={toolPath({ server: module, name: tool })}>
        <PlainText isClipped>{tool}</PlainText>
      </Link>
    ) : (
      <PlainText isClipped>{target ?? tool ?? via ?? message ?? '–'}</PlainText>
    ),
  ),
  column('Caller', 'is-clip is-muted', ({ caller }) => (
    <PlainText isClipped>{caller === undefined ? '–' : callerName(caller)}</PlainText>
  )),
  column('Outcome', 'is-clip', ({ outcome, message }) => (
    <div title={message}>
      <Badge tone={outcomeTone(outcome)}>{outcome}</Badge>{' '}
      {message && outcome !== 'ok' && <span className="for-readers">{message}</span>}
    </div>
  )),
  column('Duration', 'is-number', ({ ms }) => (ms === undefined ? '–' : formatMilliseconds(ms))),
  column('Tokens', 'is-number', ({ sentTokens, resultTokens }) => (
    <>
      {sentTokens === undefined ? '–' : formatTokens(sentTokens)}
      {resultTokens !== undefined && sentTokens !== undefined && resultTokens > sentTokens && (
        <span className="is-muted"> of {formatTokens(resultTokens)}</span>
      )}
    </>
  )),
]

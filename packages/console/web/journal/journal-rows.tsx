import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { formatMilliseconds, formatTokens } from '../text/numbers.ts'
import { zone } from '../text/times.ts'
import { Badge, PlainText, type Tone } from '../ui/plain-text.tsx'
import { type Column, column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { sentenceOf } from './sentences.ts'
import './journal-rows.css'

type Line = Schemas['JournalLine']

/** What lines are called that are not of a server. */
export const kindNames: Readonly<Record<Line['kind'], string>> = {
  begun: 'begun call',
  call: 'call',
  meta: 'meta-tools',
  read: 'read',
  ask: 'question',
  list: 'lists',
  admin: 'change',
  event: 'event',
}

/** Nothing failed: it was not done. */
const refusals = new Set([
  ...['rejected', 'cancelled', 'call_denied', 'needs_approval', 'approval_refused'],
])

function outcomeTone(outcome: string): Tone {
  if (outcome === 'ok') return 'ok'
  return refusals.has(outcome) ? 'warn' : 'bad'
}

/** Its sentence, with the message that explains it. */
function Sentence({ line, count }: { line: Line; count: number | undefined }) {
  return (
    <>
      {sentenceOf(line, count).map((part, index) => {
        if (typeof part === 'string') return part
        const text = <PlainText key={index}>{part.name}</PlainText>
        return part.path ? (
          <Link key={index} href={part.path}>
            {text}
          </Link>
        ) : (
          text
        )
      })}
      {line.message && line.via !== 'retention' && (
        <small>
          <PlainText>{line.message}</PlainText>
        </small>
      )}
    </>
  )
}

/** `lines`: how many the sentence is about. */
export const journalColumns: readonly Column<Line & { lines?: number }>[] = [
  column(`Time (${zone})`, 'is-muted is-plain', ({ time }) => <Time of={time} style="clock" />),
  column('What happened', 'journal-what is-whole is-plain', (line) => (
    <Sentence line={line} count={line.lines} />
  )),
  column('Outcome', 'journal-outcome is-plain', ({ outcome, kind }) => (
    <Badge tone={kind === 'event' ? 'warn' : outcomeTone(outcome)}>{outcome}</Badge>
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

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { formatMilliseconds, formatTokens } from '../text/numbers.ts'
import { serverPath, toolPath } from '../text/paths.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Time } from '../ui/time.tsx'
import './journal-rows.css'

type Line = Schemas['JournalLine']

export function JournalHead(): ReactNode {
  return (
    <>
      <th scope="col">Time</th>
      <th scope="col">Server</th>
      <th scope="col">Tool</th>
      <th scope="col">Caller</th>
      <th scope="col">Outcome</th>
      <th scope="col" className="is-number">
        Duration
      </th>
      <th scope="col" className="is-number">
        Tokens
      </th>
    </>
  )
}

function outcomeTone(outcome: string): Tone {
  if (outcome === 'ok') return 'ok'
  return outcome === 'rejected' || outcome === 'cancelled' ? 'warn' : 'bad'
}

interface JournalCellsProps {
  line: Line
  timeStyle: 'clock' | 'second'
}

export function JournalCells({ line, timeStyle }: JournalCellsProps): ReactNode {
  const { module, account, tool, via, caller, outcome, message, ms, resultTokens, sentTokens } =
    line
  return (
    <>
      <td className="is-muted">
        <Time of={line.time} style={timeStyle} />
      </td>
      <td className="is-clip">
        {module ? (
          <Link href={serverPath(account ? `${module}@${account}` : module)}>
            <PlainText isClipped>{account ? `${module}@${account}` : module}</PlainText>
          </Link>
        ) : (
          <span className="is-muted">{line.kind}</span>
        )}
      </td>
      <td className="is-clip">
        {tool && module ? (
          <Link href={toolPath({ server: module, name: tool })}>
            <PlainText isClipped>{tool}</PlainText>
          </Link>
        ) : (
          <PlainText isClipped>{tool ?? via ?? message ?? '–'}</PlainText>
        )}
      </td>
      <td className="is-clip is-muted">
        <PlainText isClipped>{caller ?? '–'}</PlainText>
      </td>
      <td className="is-clip" title={message}>
        <Badge tone={outcomeTone(outcome)}>{outcome}</Badge>{' '}
        {message && outcome !== 'ok' && <span className="for-readers">{message}</span>}
      </td>
      <td className="is-number">{ms === undefined ? '–' : formatMilliseconds(ms)}</td>
      <td className="is-number">
        {sentTokens === undefined ? '–' : formatTokens(sentTokens)}
        {resultTokens !== undefined && sentTokens !== undefined && resultTokens > sentTokens && (
          <span className="is-muted"> of {formatTokens(resultTokens)}</span>
        )}
      </td>
    </>
  )
}

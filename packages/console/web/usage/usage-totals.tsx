import type { ReactNode } from 'react'
import { useUsage } from '../api/use-answers.ts'
import { formatCount, formatMilliseconds, formatShare, formatTokens } from '../text/numbers.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import './usage-totals.css'

export const spans = [
  ['1h', '1 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['30d', '30 d'],
] as const

export type Span = (typeof spans)[number][0]

export function UsageTotals({ span }: { span: Span }): ReactNode {
  const { data, error } = useUsage({ since: span, limit: 1 })
  if (error && !data) return <ProblemNote error={error} />
  const total = data?.total
  const facts = [
    ['Tokens saved', total && formatTokens(total.tokensSaved)],
    ['Tokens out', total && formatTokens(total.tokensOut)],
    ['Tokens in', total && formatTokens(total.tokensIn)],
    ['Calls', total && formatCount(total.calls)],
    ['Failed', total && formatShare(total.calls > 0 ? total.errors / total.calls : 0)],
    ['p50 latency', total && formatMilliseconds(total.p50)],
    ['p95 latency', total && formatMilliseconds(total.p95)],
  ] as const
  return (
    <dl className="usage-totals">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '…'}</dd>
        </div>
      ))}
    </dl>
  )
}

import type { Schemas } from '../api/schemas.ts'
import type { Chart } from '../charts/chart.ts'
import { formatCount, formatMilliseconds, formatTokens } from '../text/numbers.ts'

type Usage = Schemas['Usage']

export interface Measure extends Pick<Chart, 'kind' | 'format'> {
  name: string
  title: string
  of: (usage: Usage) => number | null
}

/** The charts over time. Latencies are not stacked, and null in intervals without calls. */
export const measures: readonly Measure[] = [
  {
    name: 'saved',
    title: 'Tokens saved',
    kind: 'stack',
    of: (u) => u.tokensSaved,
    format: formatTokens,
  },
  { name: 'calls', title: 'Calls', kind: 'stack', of: (u) => u.calls, format: formatCount },
  {
    name: 'errors',
    title: 'Failed calls',
    kind: 'stack',
    of: (u) => u.errors,
    format: formatCount,
  },
  { name: 'out', title: 'Tokens out', kind: 'stack', of: (u) => u.tokensOut, format: formatTokens },
  {
    name: 'p95',
    title: 'p95 latency',
    kind: 'line',
    of: (u) => (u.calls > 0 ? u.p95 : null),
    format: formatMilliseconds,
  },
]

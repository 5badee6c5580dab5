import { type ReactNode, useMemo } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { type SeriesQuery, useSeries } from '../api/use-answers.ts'
import { type Chart, wholeOf } from '../charts/chart.ts'
import { largestSeries } from '../charts/largest-series.ts'
import { TimeChart } from '../charts/time-chart.tsx'
import { countOf, formatCount, formatMilliseconds, formatTokens } from '../text/numbers.ts'
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { Segmented } from '../ui/segmented.tsx'
import type { Span } from './usage-totals.tsx'

interface Measure extends Pick<Chart, 'kind' | 'format'> {
  name: string
  title: string
  of: (usage: Schemas['Usage']) => number | null
}

/** The charts over time. Latencies are not stacked, and null in intervals without calls. */
const measures: readonly Measure[] = [
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

type By = NonNullable<SeriesQuery['by']>

const groups: readonly (readonly [By, string])[] = [
  ['server', 'Server'],
  ['tool', 'Tool'],
  ['account', 'Account'],
  ['outcome', 'Outcome'],
]

const intervals: Record<Span, NonNullable<SeriesQuery['interval']>> = {
  '1h': 'minute',
  '24h': 'hour',
  '7d': 'hour',
  '30d': 'day',
}

interface UsageChartProps {
  span: Span
  measure: string | undefined
  by: string | undefined
  onChange: (change: { measure?: string; by?: string }) => void
}

export function UsageChart({ span, measure, by: requested, onChange }: UsageChartProps): ReactNode {
  const chosen = measures.find(({ name }) => name === measure) ?? measures[0]
  const by = groups.find(([name]) => name === requested)?.[0] ?? 'server'
  const query = useSeries({ by, since: span, interval: intervals[span], limit: 20 })
  const drawn = useMemo(() => {
    const all = query.data?.series.map(({ name, points }) => ({
      name: name || 'none',
      values: points.map((point) => chosen?.of(point) ?? null),
    }))
    // Latencies do not add up: show the series with the most calls, in the order of the API.
    return all && (chosen?.kind === 'stack' ? largestSeries(all, 7) : all.slice(0, 7))
  }, [query.data, chosen])
  if (!chosen) return null
  return (
    <Panel
      title="Over time"
      aside={
        <>
          <Segmented
            label="Measure"
            value={chosen.name}
            options={measures.map(({ name, title }) => [name, title] as const)}
            onChange={(name) => onChange({ measure: name })}
          />
          <Segmented
            label="Group by"
            value={by}
            options={groups}
            onChange={(name) => onChange({ by: name })}
          />
        </>
      }
    >
      <Answered query={query} lines={8}>
        {({ times }) =>
          !drawn || drawn.length === 0 ? (
            <Empty title="No calls in this period">Choose a longer period, or call a tool.</Empty>
          ) : (
            <TimeChart
              title={`${chosen.title} by ${by}`}
              times={times}
              series={drawn}
              kind={chosen.kind}
              format={chosen.format}
              summary={`${chosen.title} by ${by}, ${countOf(times.length, 'interval')}: ${drawn
                .map(({ name, values }) => `${name} ${chosen.format(wholeOf(values, chosen.kind))}`)
                .join(', ')}.`}
            />
          )
        }
      </Answered>
    </Panel>
  )
}

import { useMemo } from 'react'
import { useSeries, useUsage } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { type Chart, largestSeries, wholeOf } from '../charts/chart.ts'
import { TimeChart } from '../charts/time-chart.tsx'
import {
  countOf,
  formatCount,
  formatMilliseconds,
  formatShare,
  formatTokens,
} from '../text/numbers.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Segmented } from '../ui/fields.tsx'
import { Answered, Empty, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { MeterPanel } from './meter-panel.tsx'
import { type Period, usePeriod } from './period.tsx'
import { UnusedPanel } from './unused-panel.tsx'
import { groups, UsageBreakdown } from './usage-breakdown.tsx'
import './usage-totals.css'

export function UsagePage() {
  const [values, set] = useQueryValues(['measure', 'by', 'table'])
  const [period, picker] = usePeriod('7d')
  return (
    <Page
      title="Usage"
      intro="What calls cost, and what stayed out of the context. Tokens are estimates."
      actions={picker}
    >
      <UsageTotals period={period} />
      <UsageChart period={period} measure={values.measure} by={values.by} onChange={set} />
      <UsageBreakdown period={period} by={values.table} onChange={(table) => set({ table })} />
      <UnusedPanel period={period} />
      <MeterPanel />
    </Page>
  )
}

function UsageTotals({ period }: { period: Period }) {
  const { data, error } = useUsage({ ...period, limit: 1 })
  if (error && !data) return <ProblemNote error={error} />
  const total = data?.total
  const facts = [
    ['Tokens saved', total && formatTokens(total.tokensSaved)],
    ['Tokens out', total && formatTokens(total.tokensOut)],
    ['Tokens in', total && formatTokens(total.tokensIn)],
    ['Calls', total && formatCount(total.calls)],
    ['Failed', total && formatShare(total.calls > 0 ? total.errors / total.calls : 0)],
    ['Refused', total && formatCount(total.refused)],
    ['p50 latency', total && formatMilliseconds(total.p50)],
    ['p95 latency', total && formatMilliseconds(total.p95)],
  ] as const
  return (
    <div>
      <dl className="usage-totals">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '…'}</dd>
          </div>
        ))}
      </dl>
      {data && (
        <p className="usage-others">
          Counted in whole {data.interval}s, from <Time of={data.start} /> to <Time of={data.end} />
        </p>
      )}
    </div>
  )
}

interface Measure extends Pick<Chart, 'kind' | 'format'> {
  name: string
  title: string
  of: (usage: Schemas['Usage']) => number | null
}

const stack = (
  name: string,
  title: string,
  of: Measure['of'],
  format: Measure['format'],
): Measure => ({ name, title, kind: 'stack', of, format })

/** The charts over time. Latencies are not stacked, and null in intervals without calls. */
const measures: readonly Measure[] = [
  stack('saved', 'Tokens saved', ({ tokensSaved }) => tokensSaved, formatTokens),
  stack('calls', 'Calls', ({ calls }) => calls, formatCount),
  stack('errors', 'Failed calls', ({ errors }) => errors, formatCount),
  stack('refused', 'Refused', ({ refused }) => refused, formatCount),
  stack('out', 'Tokens out', ({ tokensOut }) => tokensOut, formatTokens),
  {
    name: 'p95',
    title: 'p95 latency',
    kind: 'line',
    of: ({ calls, p95 }) => (calls > 0 ? p95 : null),
    format: formatMilliseconds,
  },
]

const chartGroups = groups.filter(([by]) => by !== 'day')

interface UsageChartProps {
  period: Period
  measure: string | undefined
  by: string | undefined
  onChange: (change: { measure?: string; by?: string }) => void
}

function UsageChart({ period, measure, by: requested, onChange }: UsageChartProps) {
  const option = measures.find(({ name }) => name === measure) ?? measures[0]
  const by = chartGroups.find(([name]) => name === requested)?.[0] ?? 'server'
  const query = useSeries({ by, ...period, limit: 20 })
  const drawn = useMemo(() => {
    const all = query.data?.series.map(({ name, points }) => ({
      name: name || 'none',
      values: points.map((point) => option?.of(point) ?? null),
    }))
    // Latencies do not add up: show the series with the most calls, in the order of the API.
    return all && (option?.kind === 'stack' ? largestSeries(all, 7) : all.slice(0, 7))
  }, [query.data, option])
  if (!option) return null
  return (
    <Panel
      title="Over time"
      aside={
        <>
          <Segmented
            label="Measure"
            value={option.name}
            options={measures.map(({ name, title }) => [name, title] as const)}
            onChange={(name) => onChange({ measure: name })}
          />
          <Segmented
            label="Group by"
            value={by}
            options={chartGroups}
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
              title={`${option.title} by ${by}`}
              times={times}
              series={drawn}
              kind={option.kind}
              format={option.format}
              summary={`${option.title} by ${by}, ${countOf(times.length, 'interval')}: ${drawn
                .map(({ name, values }) => `${name} ${option.format(wholeOf(values, option.kind))}`)
                .join(', ')}.`}
            />
          )
        }
      </Answered>
    </Panel>
  )
}

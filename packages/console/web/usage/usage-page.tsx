import { useMemo, useState } from 'react'
import type { Schemas } from '../api/answer-of.ts'
import { type SeriesQuery, type UsageQuery, useSeries, useUsage } from '../api/hooks.ts'
import { Bar } from '../charts/bar.tsx'
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
import { PlainText } from '../ui/plain-text.tsx'
import { column, sortedBy, sortHeaders, Table } from '../ui/table.tsx'
import './usage-breakdown.css'
import './usage-totals.css'

export function UsagePage() {
  const [values, set] = useQueryValues(['span', 'measure', 'by', 'table'])
  const [span] = spans.find(([name]) => name === values.span) ?? ['7d' as const]
  return (
    <Page
      title="Usage"
      intro="What calls cost, and what stayed out of the context. Tokens are estimates."
      actions={
        <Segmented
          label="Period"
          value={span}
          options={spans}
          onChange={(choice) => set({ span: choice })}
        />
      }
    >
      <UsageTotals span={span} />
      <UsageChart span={span} measure={values.measure} by={values.by} onChange={set} />
      <UsageBreakdown span={span} by={values.table} onChange={(table) => set({ table })} />
    </Page>
  )
}

const spans = [
  ['1h', '1 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['30d', '30 d'],
] as const

type Span = (typeof spans)[number][0]

function UsageTotals({ span }: { span: Span }) {
  const { data, error } = useUsage({ since: span, limit: 1 })
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
  stack('out', 'Tokens out', ({ tokensOut }) => tokensOut, formatTokens),
  {
    name: 'p95',
    title: 'p95 latency',
    kind: 'line',
    of: ({ calls, p95 }) => (calls > 0 ? p95 : null),
    format: formatMilliseconds,
  },
]

type By = NonNullable<UsageQuery['by']>

const groups: readonly (readonly [By, string])[] = [
  ['server', 'Server'],
  ['tool', 'Tool'],
  ['account', 'Account'],
  ['caller', 'Caller'],
  ['profile', 'Profile'],
  ['day', 'Day'],
  ['outcome', 'Outcome'],
]
const chartGroups = groups.filter(([by]) => !['caller', 'profile', 'day'].includes(by))

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

function UsageChart({ span, measure, by: requested, onChange }: UsageChartProps) {
  const option = measures.find(({ name }) => name === measure) ?? measures[0]
  const by = chartGroups.find(([name]) => name === requested)?.[0] ?? 'server'
  const query = useSeries({ by, since: span, interval: intervals[span], limit: 20 })
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

interface UsageBreakdownProps {
  span: Span
  by: string | undefined
  onChange: (by: string) => void
}

function UsageBreakdown({ span, by: requested, onChange }: UsageBreakdownProps) {
  const [by, word] = groups.find(([name]) => name === requested) ?? ['server', 'Server']
  const [sort, setSort] = useState('-saved')
  const query = useUsage({ by, since: span, limit: 100 })
  const sorted = sortHeaders(sort, setSort)
  return (
    <Panel
      title="Breakdown"
      aside={<Segmented label="Group by" value={by} options={groups} onChange={onChange} />}
      isFlush
    >
      <Answered query={query} lines={9}>
        {({ groups: rows, others: restCount }) => {
          if (rows.length === 0)
            return <Empty title="No calls in this period">Choose a longer period.</Empty>
          const max = Math.max(1, ...rows.map(({ usage }) => usage.tokensSaved))
          return (
            <>
              <Table<Group>
                caption={`Usage by ${by}`}
                className="usage-table"
                columns={[
                  column(sorted('name', word), 'is-clip', ({ name }) => (
                    <PlainText isClipped>{name || 'none'}</PlainText>
                  )),
                  column(sorted('saved', 'Tokens saved', true), 'is-number', ({ usage }) => (
                    <span className="usage-saved">
                      <Bar share={usage.tokensSaved / max} />
                      {formatTokens(usage.tokensSaved)}
                    </span>
                  )),
                  ...numbers.map(([name, title, of, format]) =>
                    column(sorted(name, title, true), 'is-number', ({ usage }: Group) =>
                      format(of(usage)),
                    ),
                  ),
                ]}
                rows={sortedBy(rows, sort, order)}
                keyOf={({ name }) => name}
              />
              {restCount > 0 && (
                <p className="usage-others">
                  and {countOf(restCount, 'more', 'more')} with fewer calls
                </p>
              )}
            </>
          )
        }}
      </Answered>
    </Panel>
  )
}

type Group = Schemas['UsageReport']['groups'][number]
type Usage = Group['usage']

/** The name, title, value and format of columns with numbers. */
const numbers: readonly (readonly [string, string, (usage: Usage) => number, Chart['format']])[] = [
  ['calls', 'Calls', ({ calls }) => calls, formatCount],
  ['errors', 'Failed', ({ calls, errors }) => (calls > 0 ? errors / calls : 0), formatShare],
  ['out', 'Tokens out', ({ tokensOut }) => tokensOut, formatTokens],
  ['p50', 'p50', ({ p50 }) => p50, formatMilliseconds],
  ['p95', 'p95', ({ p95 }) => p95, formatMilliseconds],
]

const compareBy =
  (of: (usage: Usage) => number) =>
  (a: Group, b: Group): number =>
    of(a.usage) - of(b.usage)

const order: Record<string, ReturnType<typeof compareBy>> = {
  name: (a, b) => a.name.localeCompare(b.name),
  saved: compareBy(({ tokensSaved }) => tokensSaved),
  ...Object.fromEntries(numbers.map(([name, , of]) => [name, compareBy(of)])),
}

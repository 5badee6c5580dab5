import { csvCell } from '@pith-mcp/base/csv-cell'
import { useState } from 'react'
import { type UsageQuery, useUsage } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { Bar } from '../charts/bar.tsx'
import { download } from '../text/download.ts'
import {
  countOf,
  formatCount,
  formatMilliseconds,
  formatShare,
  formatTokens,
} from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Segmented } from '../ui/fields.tsx'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { column, sortedBy, sortHeaders, Table } from '../ui/table.tsx'
import type { Period } from './period.tsx'
import './usage-breakdown.css'

type By = NonNullable<UsageQuery['by']>

export const groups: readonly (readonly [By, string])[] = [
  ['server', 'Server'],
  ['tool', 'Tool'],
  ['account', 'Account'],
  ['caller', 'Caller'],
  ['profile', 'Profile'],
  ['day', 'Day'],
  ['outcome', 'Outcome'],
]
interface UsageBreakdownProps {
  period: Period
  by: string | undefined
  onChange: (by: string) => void
}

export function UsageBreakdown({ period, by: requested, onChange }: UsageBreakdownProps) {
  const [by, word] = groups.find(([name]) => name === requested) ?? ['server', 'Server']
  const [sort, setSort] = useState('-saved')
  const query = useUsage({ by, ...period, limit: 100 })
  const sorted = sortHeaders(sort, setSort)
  return (
    <Panel
      title="Breakdown"
      aside={
        <>
          <Segmented label="Group by" value={by} options={groups} onChange={onChange} />
          {query.data && <ExportButtons report={query.data} by={by} sort={sort} />}
        </>
      }
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
                      format(of(usage), usage),
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

type NumberColumn = readonly [
  name: string,
  title: string,
  of: (usage: Usage) => number,
  format: (value: number, usage: Usage) => string,
]

const numbers: readonly NumberColumn[] = [
  ['calls', 'Calls', ({ calls }) => calls, formatCount],
  [
    'errors',
    'Failed',
    ({ errors }) => errors,
    (errors, { calls }) =>
      errors > 0 ? `${formatCount(errors)} · ${formatShare(errors / Math.max(1, calls))}` : '0',
  ],
  ['refused', 'Refused', ({ refused }) => refused, formatCount],
  ['in', 'Tokens in', ({ tokensIn }) => tokensIn, formatTokens],
  ['out', 'Tokens out', ({ tokensOut }) => tokensOut, formatTokens],
  ['p50', 'p50', ({ p50 }) => p50, formatMilliseconds],
  ['p95', 'p95', ({ p95 }) => p95, formatMilliseconds],
]

interface ExportProps {
  report: Schemas['UsageReport']
  by: By
  sort: string
}

/** Saves the rows of the table in their order, with all digits. */
function ExportButtons({ report, by, sort }: ExportProps) {
  const { groups: rows, others: restCount, start, end } = report
  const name = `usage-by-${by}-${start}-${end}`.replace(/:00(?:\.000)?/g, '').replaceAll(':', '')
  const titles = [by, 'Tokens saved', ...numbers.map(([, title]) => title)]
  const cells = sortedBy(rows, sort, order).map(({ name: group, usage }) => [
    group || 'none',
    usage.tokensSaved,
    ...numbers.map(([, , of]) => of(usage)),
  ])
  if (restCount > 0) cells.push([`${countOf(restCount, 'more', 'more')} with fewer calls`])
  const csv = () => [titles, ...cells].map((row) => `${row.map(csvCell).join()}\r\n`).join('')
  const json = () =>
    JSON.stringify(
      cells.map((row) => Object.fromEntries(row.map((value, at) => [titles[at], value]))),
      null,
      2,
    )
  return (
    <>
      <Button onClick={() => download(`${name}.csv`, 'text/csv', csv())}>CSV</Button>
      <Button onClick={() => download(`${name}.json`, 'application/json', json())}>JSON</Button>
    </>
  )
}

const compareBy =
  (of: (usage: Usage) => number) =>
  (a: Group, b: Group): number =>
    of(a.usage) - of(b.usage)

const order: Record<string, ReturnType<typeof compareBy>> = {
  name: (a, b) => a.name.localeCompare(b.name),
  saved: compareBy(({ tokensSaved }) => tokensSaved),
  ...Object.fromEntries(numbers.map(([name, , of]) => [name, compareBy(of)])),
}

import { type ReactNode, useState } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { type UsageQuery, useUsage } from '../api/use-answers.ts'
import { Bar } from '../charts/bar.tsx'
import {
  countOf,
  formatCount,
  formatMilliseconds,
  formatShare,
  formatTokens,
} from '../text/numbers.ts'
import { sortedBy } from '../text/sorted-by.ts'
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { sortHeaders } from '../ui/sort-headers.tsx'
import { column, Table } from '../ui/table.tsx'
import type { Span } from './usage-totals.tsx'
import './usage-breakdown.css'

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

interface UsageBreakdownProps {
  span: Span
  by: string | undefined
  onChange: (by: string) => void
}

export function UsageBreakdown({ span, by: requested, onChange }: UsageBreakdownProps): ReactNode {
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
        {({ groups: rows, others }) => {
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
                  ...numbers.map(([name, title, format]) =>
                    column(sorted(name, title, true), 'is-number', ({ usage }: Group) =>
                      format(usage),
                    ),
                  ),
                ]}
                rows={sortedBy(rows, sort, order)}
                keyOf={({ name }) => name}
              />
              {others > 0 && (
                <p className="usage-others">
                  and {countOf(others, 'more', 'more')} with fewer calls
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

const share = ({ calls, errors }: Usage) => (calls > 0 ? errors / calls : 0)

const numbers: readonly (readonly [name: string, title: string, (usage: Usage) => string])[] = [
  ['calls', 'Calls', ({ calls }) => formatCount(calls)],
  ['errors', 'Failed', (usage) => formatShare(share(usage))],
  ['out', 'Tokens out', ({ tokensOut }) => formatTokens(tokensOut)],
  ['p50', 'p50', ({ p50 }) => formatMilliseconds(p50)],
  ['p95', 'p95', ({ p95 }) => formatMilliseconds(p95)],
]

const order: Record<string, (a: Group, b: Group) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  saved: (a, b) => a.usage.tokensSaved - b.usage.tokensSaved,
  calls: (a, b) => a.usage.calls - b.usage.calls,
  errors: (a, b) => share(a.usage) - share(b.usage),
  out: (a, b) => a.usage.tokensOut - b.usage.tokensOut,
  p50: (a, b) => a.usage.p50 - b.usage.p50,
  p95: (a, b) => a.usage.p95 - b.usage.p95,
}

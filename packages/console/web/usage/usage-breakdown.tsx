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
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { SortHeader } from '../ui/sort-header.tsx'
import type { Span } from './usage-totals.tsx'
import '../ui/table.css'
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
  const head = (column: string, title: string) => (
    <SortHeader column={column} sort={sort} onSort={setSort} isNumber>
      {title}
    </SortHeader>
  )
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
            <div className="table-scroll">
              <table className="table usage-table">
                <caption>Usage by {by}</caption>
                <thead>
                  <tr>
                    <SortHeader column="name" sort={sort} onSort={setSort}>
                      {word}
                    </SortHeader>
                    {head('saved', 'Tokens saved')}
                    {head('calls', 'Calls')}
                    {head('errors', 'Failed')}
                    {head('out', 'Tokens out')}
                    {head('p50', 'p50')}
                    {head('p95', 'p95')}
                  </tr>
                </thead>
                <tbody>
                  {sortUsage(rows, sort).map(({ name, usage }) => (
                    <tr key={name}>
                      <th scope="row" className="is-clip">
                        <PlainText isClipped>{name || 'none'}</PlainText>
                      </th>
                      <td className="is-number">
                        <span className="usage-saved">
                          <Bar share={usage.tokensSaved / max} />
                          {formatTokens(usage.tokensSaved)}
                        </span>
                      </td>
                      <td className="is-number">{formatCount(usage.calls)}</td>
                      <td className="is-number">
                        {formatShare(usage.calls > 0 ? usage.errors / usage.calls : 0)}
                      </td>
                      <td className="is-number">{formatTokens(usage.tokensOut)}</td>
                      <td className="is-number">{formatMilliseconds(usage.p50)}</td>
                      <td className="is-number">{formatMilliseconds(usage.p95)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {others > 0 && (
                <p className="usage-others">
                  and {countOf(others, 'more', 'more')} with fewer calls
                </p>
              )}
            </div>
          )
        }}
      </Answered>
    </Panel>
  )
}

type Group = Schemas['UsageReport']['groups'][number]

const order: Record<string, (a: Group, b: Group) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  saved: (a, b) => a.usage.tokensSaved - b.usage.tokensSaved,
  calls: (a, b) => a.usage.calls - b.usage.calls,
  errors: (a, b) => share(a) - share(b),
  out: (a, b) => a.usage.tokensOut - b.usage.tokensOut,
  p50: (a, b) => a.usage.p50 - b.usage.p50,
  p95: (a, b) => a.usage.p95 - b.usage.p95,
}

const share = ({ usage }: Group) => (usage.calls > 0 ? usage.errors / usage.calls : 0)

/** Sorts by a column; "-" before its name means descending. */
function sortUsage(groups: readonly Group[], sort: string): Group[] {
  const isDescending = sort.startsWith('-')
  const sorted = [...groups].sort(order[isDescending ? sort.slice(1) : sort])
  return isDescending ? sorted.reverse() : sorted
}

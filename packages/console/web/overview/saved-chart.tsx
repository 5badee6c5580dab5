import { type ReactNode, useState } from 'react'
import { type SeriesQuery, useSeries } from '../api/use-answers.ts'
import { largestSeries } from '../charts/largest-series.ts'
import { TimeChart } from '../charts/time-chart.tsx'
import { formatTokens } from '../text/numbers.ts'
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { Segmented } from '../ui/segmented.tsx'

const spans = {
  '24h': { since: '24h', interval: 'hour' },
  '7d': { since: '7d', interval: 'day' },
  '30d': { since: '30d', interval: 'day' },
} as const satisfies Record<string, SeriesQuery>

export function SavedChart(): ReactNode {
  const [span, setSpan] = useState<keyof typeof spans>('24h')
  const query = useSeries({ by: 'server', limit: 20, ...spans[span] })
  return (
    <Panel
      title="Tokens saved, by server"
      aside={
        <Segmented
          label="Period"
          value={span}
          options={[
            ['24h', '24 h'],
            ['7d', '7 d'],
            ['30d', '30 d'],
          ]}
          onChange={setSpan}
        />
      }
    >
      <Answered query={query} lines={7}>
        {({ times, series }) => {
          const all = series.map(({ name, points }) => ({
            name,
            values: points.map(({ tokensSaved }) => tokensSaved),
          }))
          const saved = largestSeries(all, 5)
          const total = all.flatMap(({ values }) => values).reduce((a, b) => a + b, 0)
          if (saved.length === 0)
            return (
              <Empty title="No tokens saved yet">
                Counts the tokens of results and tool lists that were not sent to clients, from the
                first call on.
              </Empty>
            )
          return (
            <TimeChart
              title="Tokens saved, by server"
              times={times}
              series={saved}
              kind="stack"
              format={formatTokens}
              summary={`${formatTokens(total)} tokens saved in total, most by ${saved[0]?.name}.`}
            />
          )
        }}
      </Answered>
    </Panel>
  )
}

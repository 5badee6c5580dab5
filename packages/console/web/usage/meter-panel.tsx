import { useState } from 'react'
import { useMeter } from '../api/hooks.ts'
import { useConsole } from '../api/use-console.ts'
import { countOf, formatCount, formatTokens } from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Segmented } from '../ui/fields.tsx'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'

type Report = NonNullable<ReturnType<typeof useMeter>['data']>

const columns: readonly Column<Report['servers'][number]>[] = [
  column('Server', '', ({ server, via }) => (
    <PlainText>{`${server || "the client's own tools"}${via ? `, through ${via}` : ''}`}</PlainText>
  )),
  column('Calls', 'is-number', ({ calls }) => formatCount(calls)),
  column('Tokens', 'is-number', ({ tokens }) => formatTokens(tokens)),
  column('Carried', 'is-number', ({ carried }) => formatTokens(carried)),
]

const periods = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

/** What whole sessions cost, by the transcripts that clients keep: also without Pith. */
export function MeterPanel() {
  const { noAdminReason } = useConsole()
  const [since, setSince] = useState('7d')
  const [isAsked, setAsked] = useState(false)
  const query = useMeter(since, isAsked)
  if (noAdminReason) return null
  return (
    <Panel
      title="Sessions on the aggregator’s computer"
      aside={<Segmented label="Sessions of" value={since} options={periods} onChange={setSince} />}
      isFlush
    >
      {isAsked ? (
        <Answered query={query} lines={6}>
          {(report) => <MeterTable report={report} />}
        </Answered>
      ) : (
        <>
          <Empty title="Not read yet">
            Claude Code and Codex keep transcripts. They show what the results of each server cost,
            in all requests that held them. Nothing is kept but sums.
          </Empty>
          <p className="usage-others">
            <Button onClick={() => setAsked(true)}>Read transcripts</Button>
          </p>
        </>
      )}
    </Panel>
  )
}

function MeterTable({ report }: { report: Report }) {
  const { sessions, total, servers, pith, notes } = report
  return (
    <>
      <p className="usage-others">
        {`${countOf(sessions, 'session')}, ${countOf(total.requests, 'request')}, ${formatTokens(total.input)} tokens carried, of which ${formatTokens(total.results)} were results of MCP servers. `}
        {pith
          ? `Pith added ${formatTokens(pith.lists + pith.instructions + pith.searches)} and saved ${formatTokens(pith.savedLists + pith.savedResults)}. It lost in ${pith.lost} of ${countOf(pith.sessions, 'session')}.`
          : report.hasJournal
            ? 'No session of these had Pith, by its journal.'
            : 'There is no journal, so it is not known what Pith added and saved.'}
      </p>
      <Table
        caption="What the results of each server cost"
        columns={columns}
        rows={servers}
        keyOf={({ server, via }) => `${via} ${server}`}
      />
      {notes.map(({ text, count }) => (
        <p className="usage-others" key={text}>{`${text} (${formatCount(count)})`}</p>
      ))}
    </>
  )
}

import { Link } from 'wouter'
import type { Schemas } from '../api/answer-of.ts'
import { useServerCalls } from '../api/hooks.ts'
import { Histogram } from '../charts/histogram.tsx'
import { countOf, formatCount, formatMilliseconds } from '../text/numbers.ts'
import { pathWith } from '../text/paths.ts'
import { Button } from '../ui/button.tsx'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { Badge, PlainText, Time } from '../ui/plain-text.tsx'
import { column, Table } from '../ui/table.tsx'
import { usePeriod } from '../usage/period.tsx'

type Calls = Schemas['ServerCalls']
type Cause = Calls['causes'][number]

/** The calls of a server in a period: why they failed, and how long they took. */
export function CallsPanel({ server }: { server: Schemas['Server'] }) {
  const [period, picker] = usePeriod('24h')
  const query = useServerCalls(server.unit, period)
  return (
    <Panel
      title="Calls"
      aside={
        <>
          {picker}
          <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
            Refresh
          </Button>
        </>
      }
    >
      <Answered query={query} lines={6}>
        {(calls) => <Counts calls={calls} server={server} />}
      </Answered>
    </Panel>
  )
}

function Counts({ calls, server }: { calls: Calls; server: Schemas['Server'] }) {
  const { from, to, failed, refused, durations, causes, others } = calls
  const lines = (cause?: string) =>
    pathWith('/journal', {
      server: server.name,
      account: server.account,
      since: from,
      until: to,
      cause,
    })
  if (calls.calls + refused === 0)
    return <Empty title="No calls in this period">Choose a longer period, or try a tool.</Empty>
  const first = durations.findIndex((bar) => bar.calls > 0)
  const last = durations.findLastIndex((bar) => bar.calls > 0)
  return (
    <>
      <p>
        <Link href={lines()}>{countOf(calls.calls, 'call')}</Link>, {formatCount(failed)} failed,{' '}
        {formatCount(refused)} refused by a rule or limit
      </p>
      <Histogram
        title="Calls by duration"
        counts={durations
          .slice(first, last + 1)
          .map((bar) => [bar.upTo ? `≤ ${formatMilliseconds(bar.upTo)}` : 'longer', bar.calls])}
      />
      {causes.length > 0 && (
        <Table
          caption="Causes of failures and refusals"
          className="is-cards"
          columns={[
            column<Cause>('Cause', 'journal-what', ({ cause }) => <PlainText>{cause}</PlainText>),
            column<Cause>('Kind', 'is-narrow', ({ isRefusal }) => (
              <Badge tone={isRefusal ? 'warn' : 'bad'}>{isRefusal ? 'refused' : 'failed'}</Badge>
            )),
            column<Cause>('Calls', 'is-number', ({ cause, lines: count }) => (
              <Link href={lines(cause)} aria-label={`Lines of ${cause}`}>
                {formatCount(count)}
              </Link>
            )),
            column<Cause>('Last', 'is-narrow', (row) => <Time of={row.last} style="second" />),
          ]}
          rows={causes}
          keyOf={({ cause }) => cause}
        />
      )}
      {others > 0 && <p>and {countOf(others, 'call')} with rarer causes</p>}
    </>
  )
}

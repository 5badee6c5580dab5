import { Link } from 'wouter'
import { useServerCalls } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { Bar } from '../charts/bar.tsx'
import { countOf, formatCount, formatMilliseconds } from '../text/numbers.ts'
import { pathWith } from '../text/paths.ts'
import { Button } from '../ui/button.tsx'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { usePeriod } from '../usage/period.tsx'
import '../usage/usage-breakdown.css'

type Calls = Schemas['ServerCalls']
type Cause = Calls['causes'][number]
type Duration = Calls['durations'][number]

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
  const { from, to, failed, refused, durations, causes, others: restCount } = calls
  const lines = (cause?: string) =>
    pathWith('/journal', {
      server: server.name,
      account: server.account,
      since: from,
      until: to,
      cause,
    })
  const all = durations.reduce((sum, bar) => sum + bar.calls, 0)
  if (all + refused === 0)
    return <Empty title="No calls in this period">Choose a longer period, or try a tool.</Empty>
  const first = durations.findIndex((bar) => bar.calls > 0)
  const last = durations.findLastIndex((bar) => bar.calls > 0)
  const max = Math.max(1, ...durations.map((bar) => bar.calls))
  return (
    <>
      <p>
        <Link href={lines()}>{countOf(all, 'call')}</Link>, {formatCount(failed)} failed;{' '}
        {formatCount(refused)} more refused by a rule or limit
      </p>
      <Table<Duration>
        caption="Calls by duration"
        columns={[
          column('Duration', 'is-narrow', ({ upTo }) =>
            upTo ? `≤ ${formatMilliseconds(upTo)}` : 'longer',
          ),
          column('Calls', '', (bar) => (
            <span className="usage-saved">
              <Bar share={bar.calls / max} />
              {formatCount(bar.calls)}
            </span>
          )),
        ]}
        rows={durations.slice(first, last + 1)}
        keyOf={({ upTo }) => upTo ?? 0}
      />
      <Table<Cause>
        caption="Causes of failures and refusals"
        columns={[
          column('Cause', 'journal-what', ({ cause }) => (
            <Link href={lines(cause)}>
              <PlainText>{cause}</PlainText>
            </Link>
          )),
          column('Kind', 'is-narrow', ({ isRefusal }) => (
            <Badge tone={isRefusal ? 'warn' : 'bad'}>{isRefusal ? 'refused' : 'failed'}</Badge>
          )),
          column('Calls', 'is-number', (row) => formatCount(row.lines)),
          column('Last', 'is-narrow', (row) => <Time of={row.last} style="second" />),
        ]}
        rows={causes}
        keyOf={({ cause }) => cause}
      />
      {restCount > 0 && <p>and {countOf(restCount, 'call')} with further causes</p>}
    </>
  )
}

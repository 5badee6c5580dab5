import { useState } from 'react'
import { Link } from 'wouter'
import { useJournal, useReceipt, useSeries, useServers } from '../api/hooks.ts'
import { largestSeries } from '../charts/chart.ts'
import { TimeChart } from '../charts/time-chart.tsx'
import { kindNames } from '../journal/journal-rows.tsx'
import { serverStates } from '../servers/server-states.ts'
import { countOf, formatTokens } from '../text/numbers.ts'
import { serverPath, toolPath } from '../text/paths.ts'
import { Segmented } from '../ui/fields.tsx'
import { Answered, Empty, Page, Panel } from '../ui/page.tsx'
import { Badge, Dot, PlainText } from '../ui/plain-text.tsx'
import { Time } from '../ui/time.tsx'
import { AttentionPanel } from './attention-panel.tsx'
import { FirstRun } from './first-run.tsx'
import { ReceiptHero } from './receipt-hero.tsx'
import './recent-errors.css'
import './health-panel.css'
import './overview.css'

export function Overview() {
  const receipt = useReceipt()
  const hasTools = receipt.data?.tools !== 0
  return (
    <Page title="Overview">
      <FirstRun />
      {hasTools && (
        <section className="hero" aria-label="Receipt">
          <Answered query={receipt} lines={4}>
            {(answer) => <ReceiptHero receipt={answer} />}
          </Answered>
        </section>
      )}
      <div className="overview-grid">
        <div>
          <SavedChart />
          <HealthPanel />
        </div>
        <div>
          <AttentionPanel />
          <RecentErrors />
        </div>
      </div>
    </Page>
  )
}

const order = Object.keys(serverStates)

function HealthPanel() {
  const query = useServers()
  const enabled = query.data?.filter(({ state }) => state !== 'disabled') ?? []
  const ready = enabled.filter(({ state }) => state === 'ready').length
  const off = (query.data?.length ?? 0) - enabled.length
  return (
    <Panel
      title="Servers"
      aside={
        query.data && `${ready} of ${enabled.length} ready${off > 0 ? `, ${off} disabled` : ''}`
      }
    >
      <Answered query={query} lines={5}>
        {(servers) =>
          servers.length === 0 ? (
            <Empty
              title="No servers yet"
              command="aggregator-mcp add github -- npx -y @modelcontextprotocol/server-github"
            >
              Add one on the Servers page, or on the command line:
            </Empty>
          ) : (
            <ul className="health">
              {[...servers]
                .sort(
                  (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.calls - a.calls,
                )
                .slice(0, 24)
                .map((server) => (
                  <li key={server.unit}>
                    <Link href={serverPath(server.unit)}>
                      <Dot tone={serverStates[server.state][0]}>
                        <PlainText isClipped>{server.unit}</PlainText>
                      </Dot>
                      <small>
                        {serverStates[server.state][1]} · {countOf(server.tools, 'tool')}
                        {server.heldTools > 0 && `, ${server.heldTools} held`} ·{' '}
                        {countOf(server.calls, 'call')}
                      </small>
                    </Link>
                  </li>
                ))}
            </ul>
          )
        }
      </Answered>
    </Panel>
  )
}

function RecentErrors() {
  const query = useJournal({ outcome: 'failed', limit: 8 }, 15_000)
  return (
    <Panel
      title="Recent failures"
      aside={<Link href="/journal?outcome=failed">Journal</Link>}
      isFlush
    >
      <Answered query={query} lines={6}>
        {({ lines }) =>
          lines.length === 0 ? (
            <Empty title="No failures">
              Failed calls and rejected requests are listed here, with the error.
            </Empty>
          ) : (
            <ol className="recent-errors">
              {lines.map((line, index) => (
                <li key={`${line.time} ${index}`}>
                  <div>
                    {line.module && line.tool ? (
                      <Link href={toolPath({ server: line.module, name: line.tool })}>
                        <PlainText isClipped>{`${line.module} · ${line.tool}`}</PlainText>
                      </Link>
                    ) : (
                      <PlainText isClipped>{line.module ?? kindNames[line.kind]}</PlainText>
                    )}
                    <Badge tone={line.outcome === 'rejected' ? 'warn' : 'bad'}>
                      {line.outcome}
                    </Badge>
                    <Time of={line.time} style="relative" />
                  </div>
                  {line.message && (
                    <p>
                      <PlainText isClipped>{line.message}</PlainText>
                    </p>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </Answered>
    </Panel>
  )
}

function SavedChart() {
  const [span, setSpan] = useState<'24h' | '7d' | '30d'>('24h')
  const query = useSeries({ by: 'server', limit: 20, since: span })
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

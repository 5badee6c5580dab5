import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useConsole } from '../api/console-context.ts'
import type { LiveView } from '../api/live-store.ts'
import { RateBars } from '../charts/rate-bars.tsx'
import { journalColumns } from '../journal/journal-rows.tsx'
import { countOf } from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { LongTable } from '../ui/long-table.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { LiveFilter, matches, noFilter } from './live-filter.tsx'

const columns = journalColumns('clock')

export function LivePage(): ReactNode {
  const { live } = useConsole()
  const current = useSyncExternalStore(live.subscribe, live.view)
  const [frozen, setFrozen] = useState<LiveView>()
  const [filter, setFilter] = useState(noFilter)
  const view = frozen ?? current
  const shown = view.lines.filter((line) => matches(line, filter))
  const lastMinute = current.rate.reduce((sum, count) => sum + count, 0)
  return (
    <Page
      title="Live"
      intro="Calls as they finish. This list is lost on reload; the journal stores every call."
      actions={
        <Button
          aria-pressed={frozen !== undefined}
          onClick={() => setFrozen(frozen ? undefined : current)}
        >
          {frozen ? 'Resume' : 'Pause'}
        </Button>
      }
    >
      <Panel
        title={`${countOf(lastMinute, 'call')} in the last minute`}
        aside={view.skipped > 0 && `${countOf(view.skipped, 'line')} skipped: too many per second`}
      >
        <RateBars rate={current.rate} />
      </Panel>
      <LiveFilter filter={filter} onChange={setFilter} />
      <Panel
        title={countOf(shown.length, 'line')}
        aside={frozen ? 'Paused' : 'The last 500'}
        isFlush
      >
        {shown.length > 0 ? (
          <LongTable
            caption="Calls, newest first"
            className="journal-table"
            rows={shown}
            columns={columns}
            keyOf={({ id }) => id}
            isUnnamed
          />
        ) : view.lines.length > 0 ? (
          <Empty title="No matching lines">Shorten the filter, or show all outcomes.</Empty>
        ) : (
          <Empty title="Waiting for calls">
            Calls appear here as soon as a client calls a tool.
          </Empty>
        )}
      </Panel>
    </Page>
  )
}

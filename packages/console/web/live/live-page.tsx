import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useConsole } from '../api/console-context.ts'
import type { LiveLine, LiveView } from '../api/live-store.ts'
import { RateBars } from '../charts/rate-bars.tsx'
import { journalColumns } from '../journal/journal-rows.tsx'
import { countOf } from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { CheckField } from '../ui/check-field.tsx'
import { Empty } from '../ui/empty.tsx'
import { LongTable } from '../ui/long-table.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { SearchField } from '../ui/text-field.tsx'
import './live-page.css'

const columns = journalColumns('clock')

export function LivePage(): ReactNode {
  const { live } = useConsole()
  const current = useSyncExternalStore(live.subscribe, live.view)
  const [frozen, setFrozen] = useState<LiveView>()
  const [text, setText] = useState('')
  const [isFailed, setFailed] = useState(false)
  const view = frozen ?? current
  const shown = view.lines.filter(
    (line) => !(isFailed && line.outcome === 'ok') && contains(line, text),
  )
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
      <div className="toolbar">
        <SearchField
          label="Filter"
          placeholder="Server, tool, account or outcome"
          value={text}
          onChange={setText}
        />
        <CheckField isChecked={isFailed} onChange={setFailed}>
          Failures only
        </CheckField>
      </div>
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

/** Whether a field of a line contains a text. */
function contains(line: LiveLine, text: string): boolean {
  if (!text) return true
  const words = text.toLowerCase()
  const { module, tool, account, caller, message, outcome } = line
  return [module, tool, account, caller, message, outcome].some((part) =>
    part?.toLowerCase().includes(words),
  )
}

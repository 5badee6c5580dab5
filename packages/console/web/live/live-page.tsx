import { useState, useSyncExternalStore } from 'react'
import type { LiveLine, LiveView } from '../api/create-live.ts'
import { useConsole } from '../api/use-console.ts'
import { journalColumns } from '../journal/journal-rows.tsx'
import { countOf } from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { CheckField, SearchField } from '../ui/fields.tsx'
import { Empty, Page, Panel } from '../ui/page.tsx'
import { LongTable } from '../ui/table.tsx'
import '../charts/rate-bars.css'
import './live-page.css'

export function LivePage() {
  const { live } = useConsole()
  const current = useSyncExternalStore(live.subscribe, live.view)
  const [frozen, setFrozen] = useState<LiveView>()
  const [text, setText] = useState('')
  const [isFailed, setFailed] = useState(false)
  const view = frozen ?? current
  const lines = view.lines.filter(
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
        title={countOf(lines.length, 'line')}
        aside={frozen ? 'Paused' : 'The last 500'}
        isFlush
      >
        {lines.length > 0 ? (
          <LongTable
            caption="Calls, newest first"
            className="journal-table"
            rows={lines}
            columns={journalColumns}
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

/** Calls in each of the last 60 seconds. Decorative: the total is in the panel's title. */
function RateBars({ rate }: { rate: readonly number[] }) {
  const max = Math.max(...rate, 4)
  return (
    <svg className="rate-bars" viewBox="0 0 600 44" preserveAspectRatio="none" aria-hidden="true">
      {rate.map((count, index) => {
        const height = count > 0 ? Math.max(2, (count / max) * 42) : 1
        return (
          <rect
            key={index}
            className={count === 0 ? 'is-none' : undefined}
            x={index * 10 + 1}
            y={44 - height}
            width={8}
            height={height}
            rx={1}
          />
        )
      })}
    </svg>
  )
}

import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useConsole } from '../api/console-context.ts'
import type { LiveLine, LiveView } from '../api/create-live.ts'
import { RateBars } from '../charts/rate-bars.tsx'
import { JournalCells, JournalHead } from '../journal/journal-rows.tsx'
import { countOf } from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { LongTable } from '../ui/long-table.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import './live-page.css'

export function LivePage(): ReactNode {
  const { live } = useConsole()
  const current = useSyncExternalStore(live.subscribe, live.view)
  const [frozen, setFrozen] = useState<LiveView>()
  const [text, setText] = useState('')
  const [isFailed, setFailed] = useState(false)
  const view = frozen ?? current
  const words = text.toLowerCase()
  const shown = view.lines.filter(({ line }) => {
    if (isFailed && line.outcome === 'ok') return false
    if (!words) return true
    const { module, tool, account, caller, message, outcome } = line
    return [module, tool, account, caller, message, outcome].some((part) =>
      part?.toLowerCase().includes(words),
    )
  })
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
        <Field label="Filter" isWide>
          {(id) => (
            <input
              id={id}
              type="search"
              placeholder="Server, tool, account or outcome"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <label className="check">
          <input
            type="checkbox"
            checked={isFailed}
            onChange={(event) => setFailed(event.target.checked)}
          />
          Failures only
        </label>
      </div>
      <Panel
        title={countOf(shown.length, 'line')}
        aside={frozen ? 'Paused' : 'The last 500'}
        isFlush
      >
        {shown.length === 0 ? (
          <Empty title={view.lines.length === 0 ? 'Waiting for calls' : 'No matching lines'}>
            {view.lines.length === 0
              ? 'Calls appear here as soon as a client calls a tool.'
              : 'Shorten the filter, or show all outcomes.'}
          </Empty>
        ) : (
          <LongTable<LiveLine>
            caption="Calls, newest first"
            className="journal-table"
            rows={shown}
            columns={7}
            keyOf={({ id }) => id}
            head={<JournalHead />}
          >
            {({ line }) => <JournalCells line={line} timeStyle="clock" />}
          </LongTable>
        )}
      </Panel>
    </Page>
  )
}

import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type JournalQuery, useJournal } from '../api/use-answers.ts'
import { countOf } from '../text/numbers.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Answered } from '../ui/answered.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { JournalForm, journalFields } from './journal-form.tsx'
import { JournalTable } from './journal-table.tsx'

const pageLength = 100

export function JournalPage(): ReactNode {
  const [values, set] = useQueryValues([...journalFields, 'before'])
  const [trail, setTrail] = useState<string[]>([])
  const { before, ...filters } = values
  const query = useJournal({ ...(values as JournalQuery), limit: pageLength })
  const isFiltered = Object.keys(filters).length > 0
  const next = query.data?.next
  return (
    <Page
      title="Journal"
      intro="All calls with caller, outcome and cost. Arguments and results are not stored, only their sizes."
      actions={
        <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Refresh
        </Button>
      }
    >
      <JournalForm
        key={JSON.stringify(filters)}
        values={filters}
        onSearch={(search) => {
          setTrail([])
          set({ ...search, before: '' })
        }}
      />
      <Panel
        title={query.data ? countOf(query.data.lines.length, 'line') : 'Lines'}
        aside={before ? 'Older lines' : 'Newest first'}
        isFlush
      >
        <Answered query={query} lines={12} link={<Link href="/journal">All lines</Link>}>
          {({ lines }) =>
            lines.length > 0 ? (
              <JournalTable lines={lines} />
            ) : isFiltered ? (
              <Empty title="No matching lines">Remove a filter, or search further back.</Empty>
            ) : (
              <Empty title="The journal is empty">
                Each call adds a line, by default for 90 days. The journal is disabled with
                --no-state, or with journal: false in the configuration.
              </Empty>
            )
          }
        </Answered>
      </Panel>
      {(next || before) && (
        <nav className="button-row" aria-label="Pages of the journal">
          <Button
            disabledReason={before ? undefined : 'These are the newest lines.'}
            onClick={() => {
              set({ before: trail.at(-1) ?? '' })
              setTrail(trail.slice(0, -1))
            }}
          >
            Newer
          </Button>
          <Button
            disabledReason={next ? undefined : 'There are no older lines.'}
            onClick={() => {
              setTrail([...trail, before ?? ''])
              set({ before: next ?? '' })
            }}
          >
            Older
          </Button>
        </nav>
      )}
    </Page>
  )
}

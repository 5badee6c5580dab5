import { type FormEvent, Fragment, useState } from 'react'
import { Link } from 'wouter'
import { type JournalQuery, useJournal } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { countOf, formatBytes, formatCount } from '../text/numbers.ts'
import { formatTime } from '../text/times.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField, SearchField, ServerField, TextField } from '../ui/fields.tsx'
import { Answered, Empty, Facts, Page, Panel } from '../ui/page.tsx'
import { cellsOf, headOf } from '../ui/table.tsx'
import { journalColumns } from './journal-rows.tsx'
import { groupHeld } from './sentences.ts'
import './journal-table.css'

type Line = Schemas['JournalLine']

const dayOf = (time: string) => formatTime(new Date(time), 'day')

/** Lines of the journal as sentences, by day. Each expands to all its fields. */
function JournalTable({ lines }: { lines: Line[] }) {
  const [open, setOpen] = useState<number>()
  const groups = groupHeld(lines)
  return (
    <div className="table-scroll">
      <table className="table journal-table has-short-cards">
        <caption>Lines of the journal, newest first</caption>
        <thead>
          <tr>
            {headOf(journalColumns)}
            <th scope="col" className="journal-more">
              <span className="for-readers">Details</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(([line, ...more], index) => (
            <Fragment key={index}>
              {line && dayOf(line.time) !== dayOf(groups[index - 1]?.[0]?.time ?? '') && (
                <tr className="journal-day">
                  <th scope="rowgroup" colSpan={6}>
                    {dayOf(line.time)}
                  </th>
                </tr>
              )}
              <tr>
                {line && cellsOf(journalColumns, { ...line, lines: more.length + 1 }, true)}
                <td>
                  <button
                    type="button"
                    className="journal-open"
                    aria-expanded={open === index}
                    aria-label={`Details of line ${index + 1}`}
                    onClick={() => setOpen(open === index ? undefined : index)}
                  >
                    {open === index ? '−' : '+'}
                  </button>
                </td>
              </tr>
              {open === index && (
                <tr>
                  <td colSpan={6} className="journal-detail">
                    {groups[index]?.map((entry, at) => (
                      <Facts key={at} of={Object.entries(entry).map(factOf)} />
                    ))}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const factOf = ([name, value]: [string, string | number]) => [name, textOf(name, value)] as const

function textOf(name: string, value: string | number): string {
  if (typeof value === 'string') return value
  return name.endsWith('Bytes') ? formatBytes(value) : formatCount(value)
}

const pageLength = 100

export function JournalPage() {
  const [values, set] = useQueryValues([...journalFields, 'before'])
  const [trail, setTrail] = useState<string[]>([])
  const { before, ...filters } = values
  const query = useJournal({ ...(values as JournalQuery), limit: pageLength })
  const isFiltered = Object.keys(filters).length > 0
  const next = query.data?.next
  return (
    <Page
      title="Journal"
      intro="All calls, reads and questions with caller, outcome and cost. Arguments and results are not stored, only their sizes."
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

/** The search fields, as query parameters of the page. */
const journalFields = [
  'text',
  'server',
  'tool',
  'outcome',
  'since',
  'kind',
  'caller',
  'account',
  'profile',
  'session',
  'request',
  'cause',
  'until',
] as const

type Values = Partial<Record<(typeof journalFields)[number], string>>

const empty: Values = Object.fromEntries(journalFields.map((name) => [name, '']))

function JournalForm({ values, onSearch }: { values: Values; onSearch: (values: Values) => void }) {
  const [draft, setDraft] = useState<Values>(values)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch({ ...empty, ...draft })
  }
  /** Ties a field to its part of the draft. */
  const part = (name: keyof Values) => ({
    value: draft[name] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  })
  return (
    <search>
      <form onSubmit={submit} className="toolbar">
        <SearchField label="Text" placeholder="In any field" maxLength={200} {...part('text')} />
        <ServerField {...part('server')} />
        <TextField label="Tool" {...part('tool')} />
        <ChoiceField label="Outcome" options={outcomes} {...part('outcome')} />
        <ChoiceField label="Kind" options={kinds} {...part('kind')} />
        <TextField label="Since" placeholder="7d, 24h or a time" {...part('since')} />
        <Button type="submit" kind="main">
          Search
        </Button>
        <Button kind="quiet" onClick={() => onSearch(empty)}>
          Clear
        </Button>
        <details className="toolbar-more" open={rare.some(([name]) => draft[name])}>
          <summary>More fields</summary>
          <div className="toolbar">
            {rare.map(([name, label, placeholder]) => (
              <TextField key={name} label={label} placeholder={placeholder} {...part(name)} />
            ))}
          </div>
        </details>
      </form>
    </search>
  )
}

const outcomes = [
  ['', 'Any'],
  ['failed', 'Failed'],
  ['refused', 'Refused'],
  ['ok', 'ok'],
  ['tool_error', 'tool_error'],
  ['rejected', 'rejected'],
] as const

const kinds = [
  ['', 'Any'],
  ['call', 'Calls'],
  ['begun', 'Begun calls'],
  ['meta', 'Meta-tools'],
  ['read', 'Reads'],
  ['ask', 'Questions of servers'],
  ['list', 'Lists'],
  ['admin', 'Changes'],
  ['event', 'Events'],
] as const

const rare = [
  ['caller', 'Caller', ''],
  ['account', 'Account', ''],
  ['profile', 'Profile', ''],
  ['session', 'Session', ''],
  ['request', 'Request', 'Id of a log or trace'],
  ['cause', 'Cause', 'As on a server’s page'],
  ['until', 'Until', '2026-01-31T12:00'],
] as const

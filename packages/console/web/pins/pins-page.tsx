import { useMemo, useState } from 'react'
import type { Schemas } from '../api/answer-of.ts'
import { useAct, useConsole, usePins } from '../api/hooks.ts'
import { countOf, formatCount } from '../text/numbers.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { ChoiceField, SearchField } from '../ui/fields.tsx'
import { Answered, Empty, Page, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { isPlainReader, kinds, matching, type Row, rowsOf } from './waiting-rows.ts'
import { WaitingTable } from './waiting-table.tsx'
import './pins.css'

export function PinsPage() {
  return (
    <Page
      title="Review"
      intro="A tool that is new or changes is held: clients cannot see or call it until someone approves its definition, which is pinned then."
    >
      <Answered query={usePins()} lines={10}>
        {(servers) => (
          <>
            <Review servers={servers} />
            {servers.length > 0 && (
              <details className="panel pinned">
                <summary>Pinned definitions of {countOf(servers.length, 'server')}</summary>
                <Table
                  caption="Pins by server"
                  columns={columns}
                  rows={servers}
                  keyOf={({ server, source }) => `${server}\n${source}`}
                />
              </details>
            )}
          </>
        )}
      </Answered>
    </Page>
  )
}

/** The waiting tools, to filter, to read and to select. */
function Review({ servers }: { servers: Schemas['PinnedServer'][] }) {
  const [values, set] = useQueryValues(['server', 'kind', 'q'])
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [currentKey, setCurrentKey] = useState('')
  const rows = useMemo(() => rowsOf(servers), [servers])
  const listed = useMemo(() => matching(rows, values), [rows, values])
  const selected = rows.filter(({ key }) => keys.has(key))
  const current = listed.find(({ key }) => key === currentKey) ?? listed[0]
  const omitted = servers.reduce((sum, server) => sum + server.omitted, 0)
  if (rows.length === 0)
    return (
      <section className="panel" aria-label="Approvals">
        <Empty title="No tools wait for approval">
          {servers.length > 0
            ? 'All tools match their pinned definitions.'
            : 'Definitions are pinned when a server first lists its tools.'}
        </Empty>
      </section>
    )
  const names = [...new Set(rows.map(({ server }) => server))].sort()
  const server = values.server ?? current?.server ?? ''
  const sets: readonly (readonly [string, Row[]])[] = [
    ['All listed', listed],
    [`All of ${server}`, matching(rows, { server })],
    ['Read-only', rows.filter(isPlainReader)],
    ['Pinned in another account', rows.filter((row) => row.isPinnedElsewhere)],
  ]
  const toggle = ({ key }: Row) =>
    setKeys(new Set(keys.has(key) ? [...keys].filter((mark) => mark !== key) : [...keys, key]))
  return (
    <>
      <div className="toolbar">
        <SearchField
          label="Filter"
          placeholder="Tool, server or reason"
          value={values.q ?? ''}
          onChange={(q) => set({ q })}
        />
        <ChoiceField
          label="Server"
          options={[['', 'All'], ...names.map((name) => [name, name] as const)]}
          value={values.server ?? ''}
          onChange={(name) => set({ server: name })}
        />
        <ChoiceField
          label="Kind"
          options={kinds.map(([kind, label]) => [kind, label])}
          value={values.kind ?? ''}
          onChange={(kind) => set({ kind })}
        />
      </div>
      <Panel
        title={`${countOf(listed.length, 'tool')}${listed.length < rows.length ? ` of ${formatCount(rows.length)}` : ''}`}
        aside={<Approve selected={selected} total={rows.length} listed={listed} />}
        isFlush
      >
        <div className="button-row waiting-sets">
          Select:
          {sets.map(([label, every]) => {
            const allowed = every.filter((row) => !row.isExcluded)
            return (
              allowed.length > 0 && (
                <Button
                  key={label}
                  onClick={() => setKeys(new Set([...keys, ...allowed.map(({ key }) => key)]))}
                >
                  <PlainText>{label}</PlainText> ({formatCount(allowed.length)})
                </Button>
              )
            )
          })}
          {selected.length > 0 && <Button onClick={() => setKeys(new Set())}>None</Button>}
          <span className="waiting-keys">
            Keys in the list: <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Space</kbd> selects,{' '}
            <kbd>Enter</kbd> opens, <kbd>Esc</kbd> closes.
          </span>
        </div>
        {listed.length > 0 ? (
          <WaitingTable
            rows={listed}
            selected={keys}
            onToggle={toggle}
            current={current}
            onCurrent={({ key }) => setCurrentKey(key)}
          />
        ) : (
          <Empty title="No tool matches the filters.">
            <Button onClick={() => set({ server: '', kind: '', q: '' })}>Remove the filters</Button>
          </Empty>
        )}
        {omitted > 0 && (
          <p className="waiting-omitted">
            {countOf(omitted, 'more tool')} will be listed when these are approved.
          </p>
        )}
      </Panel>
    </>
  )
}

/** Approves exactly the selected definitions, by hash. */
function Approve(props: { selected: Row[]; total: number; listed: readonly Row[] }) {
  const { selected, total, listed } = props
  const { toasts } = useConsole()
  const approve = useAct({
    send: (api, rows: readonly Row[]) =>
      api.POST('/api/v1/pins/approve', {
        body: {
          tools: rows.flatMap(({ units, tool, hash }) =>
            units.map((server) => ({ server, tool, hash })),
          ),
        },
      }),
    invalidates: ['pins', 'tools', 'servers'],
    onDone({ approved, changed }) {
      if (approved.length > 0) toasts.show(`${countOf(approved.length, 'definition')} approved.`)
      const names = [...new Set(changed)]
      const rest = names.length > 5 ? ` and ${names.length - 5} more` : ''
      if (names.length > 0)
        toasts.showError(
          new Error(
            `Changed again since your review: ${names.slice(0, 5).join(', ')}${rest}. Review them again.`,
          ),
        )
    },
  })
  const hidden = selected.filter((row) => !listed.includes(row)).length
  const notes = [
    [selected.filter((row) => row.hasFindings).length, 'with findings'],
    [selected.filter((row) => row.isChanged).length, 'changed'],
    [hidden, 'hidden by the filters'],
  ] as const
  return (
    <>
      <span role="status">
        {formatCount(selected.length)} of {formatCount(total)} selected
        {notes.map(([count, words]) => count > 0 && `, ${formatCount(count)} ${words}`)}
      </span>
      <WriteButton
        kind="main"
        isBusy={approve.isPending}
        disabledReason={selected.length === 0 ? 'Select tools first.' : undefined}
        onClick={() => approve.mutate(selected)}
      >
        Approve selected
      </WriteButton>
    </>
  )
}

const columns: readonly Column<Schemas['PinnedServer']>[] = [
  column('Server', '', ({ server }) => <PlainText>{server}</PlainText>),
  column('Source', 'is-clip is-muted', ({ source }) => (
    <PlainText isClipped isCode>
      {source}
    </PlainText>
  )),
  column('Pinned', 'is-number', ({ pinned }) => formatCount(pinned)),
  column('Waiting', 'is-number', ({ waiting, omitted }) => formatCount(waiting.length + omitted)),
  column('Actions', 'is-narrow', ({ server }) => <Reset server={server} />),
]

function Reset({ server }: { server: string }) {
  return (
    <ConfirmButton
      action="Reset"
      label={`Reset the pins of ${server}`}
      title="Reset these pins?"
      send={(api) => api.POST('/api/v1/pins/reset', { body: { server } })}
      invalidates={['pins', 'tools']}
      successText={() => `Pins of ${server} reset.`}
    >
      <p>
        The next definitions of <PlainText>{server}</PlainText> are trusted and pinned, including
        those that wait for approval now.
      </p>
    </ConfirmButton>
  )
}

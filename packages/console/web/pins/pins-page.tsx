import { useMemo, useState } from 'react'
import { useAct, usePins } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { useConsole } from '../api/use-console.ts'
import { countOf, formatCount } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
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

/** Servers with a button of their own. */
const maxSets = 12

const filters = ['server', 'kind', 'q'] as const

/** The waiting tools, to filter, to read and to select. */
function Review({ servers: pinned }: { servers: Schemas['PinnedServer'][] }) {
  const [values, set] = useQueryValues(filters)
  const { server = '', kind, q } = values
  const [keys, setKeys] = useState<Keys>(new Set())
  const [currentKey, setCurrentKey] = useState('')
  const rows = useMemo(() => rowsOf(pinned), [pinned])
  const matches = useMemo(() => matching(rows, values), [rows, values])
  const current = matches.find(({ key }) => key === currentKey) ?? matches[0]
  const omitted = pinned.reduce((sum, each) => sum + each.omitted, 0)
  if (rows.length === 0)
    return (
      <section className="panel" aria-label="Review">
        <Empty title="No tools wait for approval">
          {pinned.length > 0
            ? 'All tools match their pinned definitions.'
            : 'Definitions are pinned when a server first lists its tools.'}
        </Empty>
      </section>
    )
  const open = rows.filter(({ isExcluded }) => !isExcluded)
  const units = open.reduce((sum, row) => sum + row.units.length, 0)
  const servers = [...new Set(open.map((row) => row.server))].slice(0, maxSets)
  const sets: SetsProps['sets'] = [
    ['All listed', matches],
    ...servers.map((name) => [`All of ${name}`, matching(rows, { server: name })] as const),
    ['Read-only', rows.filter(isPlainReader)],
    ['Pinned in another account', rows.filter((row) => row.isPinnedElsewhere)],
  ]
  const toggle = ({ key }: Row) =>
    setKeys(new Set(keys.has(key) ? [...keys].filter((mark) => mark !== key) : [...keys, key]))
  return (
    <>
      <Filters values={values} rows={rows} onChange={set} />
      <Panel
        title={titleOf(matches, rows, units)}
        aside={
          <Approve rows={rows} keys={keys} matches={matches} onDone={() => setKeys(new Set())} />
        }
        isFlush
      >
        <Sets sets={sets} keys={keys} onChange={setKeys} />
        {current ? (
          <WaitingTable
            rows={matches}
            selected={keys}
            onToggle={toggle}
            current={current}
            onCurrent={({ key }) => setCurrentKey(key)}
          />
        ) : (
          <Empty
            title={
              kind || q
                ? 'No tool matches the filters'
                : `No tools of ${spellOddCharacters(server)} wait for approval`
            }
          >
            Tools of other servers or kinds wait: remove a filter.
          </Empty>
        )}
      </Panel>
      {omitted > 0 && (
        <p>{countOf(omitted, 'more tool')} will be listed when these are approved.</p>
      )}
    </>
  )
}

/** How many tools are listed, and how many wait: as the menu, `status` and `pin list` count them. */
function titleOf(matches: readonly Row[], rows: readonly Row[], units: number): string {
  const [listed, all] = [matches, rows].map((each) => each.filter(({ isExcluded }) => !isExcluded))
  const excluded = rows.length - (all?.length ?? 0)
  return [
    `${formatCount(listed?.length ?? 0)} of ${countOf(all?.length ?? 0, 'tool')}`,
    units > (all?.length ?? 0) && `${formatCount(units)} with all accounts`,
    excluded > 0 && `${formatCount(excluded)} more excluded by rules`,
  ]
    .filter(Boolean)
    .join(', ')
}

interface FiltersProps {
  values: Partial<Record<(typeof filters)[number], string>>
  rows: readonly Row[]
  onChange: (change: FiltersProps['values']) => void
}

function Filters({ values: { server = '', kind = '', q = '' }, rows, onChange }: FiltersProps) {
  const names = [...new Set(rows.map((row) => row.server))].sort()
  return (
    <div className="toolbar">
      <SearchField label="Filter" value={q} onChange={(text) => onChange({ q: text })} />
      <ChoiceField
        label="Server"
        options={[['', 'All'], ...names.map((name) => [name, name] as const)]}
        value={server}
        onChange={(name) => onChange({ server: name })}
      />
      <ChoiceField
        label="Kind"
        options={[['', 'All'], ...kinds.map(([name]) => [name, name] as const)]}
        value={kind}
        onChange={(name) => onChange({ kind: name })}
      />
    </div>
  )
}

type Keys = ReadonlySet<string>

interface SetsProps {
  sets: readonly (readonly [label: string, rows: readonly Row[]])[]
  keys: Keys
  onChange: (keys: Keys) => void
}

/** Buttons that add sets of rows to the selection, without those that rules exclude. */
function Sets({ sets, keys, onChange }: SetsProps) {
  return (
    <div className="button-row waiting-sets">
      Select:
      {sets.map(([label, every]) => {
        const allowed = every.filter((row) => !row.isExcluded).map(({ key }) => key)
        if (allowed.length === 0) return null
        return (
          <Button key={label} onClick={() => onChange(new Set([...keys, ...allowed]))}>
            <PlainText>{label}</PlainText> ({formatCount(allowed.length)})
          </Button>
        )
      })}
      {keys.size > 0 && <Button onClick={() => onChange(new Set())}>None</Button>}
      <span>
        In the list: <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Space</kbd> selects, <kbd>Enter</kbd>{' '}
        opens and closes.
      </span>
    </div>
  )
}

interface ApproveProps {
  rows: readonly Row[]
  keys: Keys
  matches: readonly Row[]
  onDone: () => void
}

/** Approves exactly the selected definitions, by hash. */
function Approve({ rows, keys, matches, onDone }: ApproveProps) {
  const { toasts } = useConsole()
  const approve = useAct({
    send: (api, tools: NonNullable<Schemas['Approval']['tools']>) =>
      api.POST('/api/v1/pins/approve', { body: { tools } }),
    invalidates: ['pins', 'tools', 'servers'],
    onDone({ approved, changed }) {
      onDone()
      if (approved.length > 0) toasts.show(`${countOf(approved.length, 'definition')} approved.`)
      const names = [...new Set(changed)]
      const rest = names.length > 5 ? ` and ${names.length - 5} more` : ''
      const text = `Changed or approved since your review: ${names.slice(0, 5).join(', ')}${rest}.`
      if (names.length > 0) toasts.showError(new Error(text))
    },
  })
  const selected = rows.filter(({ key }) => keys.has(key))
  const inView = new Set(matches)
  const notes = [
    [selected.filter((row) => row.hasFindings), 'with findings'],
    [selected.filter((row) => row.isChanged), 'changed'],
    [selected.filter((row) => !inView.has(row)), 'hidden by the filters'],
  ] as const
  return (
    <>
      <span role="status">
        {formatCount(selected.length)} of {formatCount(rows.length)} selected
        {notes.map(([{ length }, words]) => length > 0 && `, ${formatCount(length)} ${words}`)}
      </span>
      <WriteButton
        kind="main"
        isBusy={approve.isPending}
        disabledReason={selected.length === 0 ? 'Select tools first.' : undefined}
        onClick={() =>
          approve.mutate(
            selected.flatMap(({ units, tool, hash }) =>
              units.map((server) => ({ server, tool, hash })),
            ),
          )
        }
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
        The next definitions of <PlainText>{server}</PlainText> count as new, including those that
        wait for approval now: they are held, or pinned if new tools are allowed.
      </p>
    </ConfirmButton>
  )
}

import { type KeyboardEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { column, LongTable } from '../ui/table.tsx'
import { WaitingDetails } from './waiting-details.tsx'
import { kinds, type Row } from './waiting-rows.ts'
import './waiting-table.css'

interface WaitingTableProps {
  rows: readonly Row[]
  selected: ReadonlySet<string>
  onToggle: (row: Row) => void
  /** The row that keys act on. */
  current: Row
  onCurrent: (row: Row) => void
}

/** Rows that a key goes down. */
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Number.MAX_VALUE,
  End: Number.MAX_VALUE,
}

/** Pixels. */
const detailHeight = 360
const headHeight = 30

/** Folded rows; one can be open. Keys act on the current row, which the table points to. */
export function WaitingTable({ rows, selected, onToggle, current, onCurrent }: WaitingTableProps) {
  const [openKey, setOpenKey] = useState('')
  const scroller = useRef<HTMLElement>(null)
  const id = useId()
  const rowHeight = useSyncExternalStore(watchWidth, () => (narrow.matches ? 96 : 34))
  const at = rows.indexOf(current)
  const open = rows.findIndex(({ key }) => key === openKey)
  const openRow = rows[open]
  const toggleOpen = ({ key }: Row) => setOpenKey(key === openKey ? '' : key)

  function move(to: number): void {
    const row = rows[to]
    const element = scroller.current
    if (!row || !element) return
    onCurrent(row)
    const top = to * rowHeight + (openRow && open < to ? detailHeight : 0)
    const lowest = top + rowHeight + headHeight - element.clientHeight
    element.scrollTop = Math.max(lowest, Math.min(top, element.scrollTop))
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>): void {
    const { key, target, currentTarget: table } = event
    const step = steps[key]
    const isInDetails = (target as Element).closest('.long-table-detail') !== null
    if (key === 'Escape' && openRow) setOpenKey('')
    else if (step !== undefined && !isInDetails)
      move(Math.max(0, Math.min(at + step, rows.length - 1)))
    else if (key === ' ' && target === table) onToggle(current)
    else if (key === 'Enter' && target === table) toggleOpen(current)
    else return
    event.preventDefault()
    table.focus()
  }

  return (
    <LongTable
      caption="Tools that wait for approval"
      className="waiting-table"
      rows={rows}
      rowHeight={rowHeight}
      keyOf={({ key }) => key}
      grid={{
        scroller,
        table: {
          role: 'grid',
          tabIndex: 0,
          'aria-multiselectable': true,
          'aria-activedescendant': `${id}${at}`,
          onKeyDown,
        },
        rowOf: (row, index) => ({
          id: `${id}${index}`,
          className: row === current ? 'is-current' : undefined,
          'aria-selected': selected.has(row.key),
          onClick: () => onCurrent(row),
        }),
        detail: openRow && {
          index: open,
          height: detailHeight,
          content: <WaitingDetails row={openRow} height={detailHeight} />,
        },
      }}
      columns={[
        column('Tool', 'waiting-name', (row) => (
          <>
            <label>
              <input
                type="checkbox"
                tabIndex={-1}
                aria-label={spellOddCharacters(`Select ${row.tool} of ${row.server}`)}
                checked={selected.has(row.key)}
                onChange={() => onToggle(row)}
              />
            </label>
            <button
              type="button"
              tabIndex={-1}
              aria-expanded={row === openRow}
              onClick={() => toggleOpen(row)}
            >
              <PlainText isClipped>{row.tool}</PlainText>
            </button>
          </>
        )),
        column('Server', 'is-clip is-muted', (row) => (
          <PlainText isClipped>{row.units.join(', ')}</PlainText>
        )),
        column('Kind', 'waiting-kinds', (row) =>
          kinds
            .filter(([, , isIt]) => isIt(row))
            .map(([name, tone, , hint]) =>
              !hint || row.declared?.includes(hint) ? (
                <Badge key={name} tone={tone}>
                  {name}
                </Badge>
              ) : (
                <Badge key={name} tone="still">
                  {name} by default
                </Badge>
              ),
            ),
        ),
        column('Held', 'is-clip is-muted', (row) => (
          <PlainText isClipped>{row.reasons.join('; ')}</PlainText>
        )),
      ]}
    />
  )
}

/** As in the style sheet. */
const narrow = matchMedia('(max-width: 40rem)')

function watchWidth(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

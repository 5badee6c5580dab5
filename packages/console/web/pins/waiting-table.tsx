import { type KeyboardEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { column, LongTable } from '../ui/table.tsx'
import { WaitingDetails } from './waiting-details.tsx'
import { marksOf, type Row } from './waiting-rows.ts'
import './waiting-table.css'

interface WaitingTableProps {
  rows: readonly Row[]
  selected: ReadonlySet<string>
  onToggle: (row: Row) => void
  /** The row that keys act on. */
  current: Row | undefined
  onCurrent: (row: Row) => void
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Number.MAX_VALUE,
  End: Number.MAX_VALUE,
}
const headHeight = 30

/** Folded rows; one is open. Keys act on the current row, which the table points to. */
export function WaitingTable({ rows, selected, onToggle, current, onCurrent }: WaitingTableProps) {
  const [openKey, setOpenKey] = useState('')
  const scroller = useRef<HTMLElement>(null)
  const id = useId()
  const isNarrow = useSyncExternalStore(watchWidth, () => narrow.matches)
  const rowHeight = isNarrow ? 96 : 34
  const at = current ? rows.indexOf(current) : 0
  const open = rows.findIndex(({ key }) => key === openKey)
  const toggleOpen = (row: Row | undefined) =>
    setOpenKey(row === undefined || row.key === openKey ? '' : row.key)

  function move(to: number): void {
    const row = rows[to]
    const element = scroller.current
    if (!row || !element) return
    onCurrent(row)
    const top = to * rowHeight + (open >= 0 && open < to ? detailHeight : 0)
    const lowest = top + rowHeight + (isNarrow ? 0 : headHeight) - element.clientHeight
    element.scrollTop = Math.max(lowest, Math.min(top, element.scrollTop))
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>): void {
    const { key, target, currentTarget: table } = event
    const step = steps[key]
    if (key === 'Escape') toggleOpen(undefined)
    else if ((target as Element).closest('.long-table-detail')) return
    else if (step !== undefined) move(Math.max(0, Math.min(at + step, rows.length - 1)))
    else if (target !== table || !current) return
    else if (key === ' ') onToggle(current)
    else if (key === 'Enter') toggleOpen(current)
    else return
    event.preventDefault()
    table.focus()
  }

  const openRow = rows[open]
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
          'aria-activedescendant': current && `${id}${at}`,
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
        column('Tool', 'is-clip', (row) => (
          <span className="waiting-name">
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
          </span>
        )),
        column('Server', 'is-clip is-muted', (row) => (
          <PlainText isClipped>{row.units.join(', ')}</PlainText>
        )),
        column('Kind', 'waiting-marks', (row) =>
          marksOf(row).map(([tone, word]) => (
            <Badge key={word} tone={tone}>
              {word}
            </Badge>
          )),
        ),
        column('Held', 'is-clip is-muted', (row) => (
          <PlainText isClipped>{row.reasons.join('; ')}</PlainText>
        )),
      ]}
    />
  )
}

/** Pixels. */
const detailHeight = 360

const narrow = matchMedia('(max-width: 860px)')

function watchWidth(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

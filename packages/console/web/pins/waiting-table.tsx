import { type KeyboardEvent, useState } from 'react'
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
  /** The row that the Tab key reaches; the arrow keys reach the others. */
  current: Row
  onCurrent: (row: Row) => void
}

/** Folded rows; one can be open. */
export function WaitingTable({ rows, selected, onToggle, current, onCurrent }: WaitingTableProps) {
  const [openKey, setOpenKey] = useState('')
  const index = rows.findIndex(({ key }) => key === openKey)
  const open = rows[index]
  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>, row: Row): void {
    const { key, currentTarget: button } = event
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (key !== ' ' && step === undefined) return
    event.preventDefault()
    if (step === undefined) onToggle(row)
    const buttons = [...(button.closest('table')?.querySelectorAll('button[data-row]') ?? [])]
    const next = step && buttons[buttons.indexOf(button) + step]
    if (next instanceof HTMLElement) next.focus()
  }
  return (
    <LongTable<Row>
      caption="Tools that wait for approval"
      className="waiting-table"
      rows={rows}
      keyOf={({ key }) => key}
      detail={open && { index, height: 360, content: <WaitingDetails row={open} /> }}
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
              data-row
              tabIndex={row === current ? 0 : -1}
              aria-expanded={row === open}
              onClick={() => setOpenKey(row === open ? '' : row.key)}
              onFocus={() => onCurrent(row)}
              onKeyDown={(event) => onKeyDown(event, row)}
            >
              <PlainText isClipped>{row.tool}</PlainText>
            </button>
          </span>
        )),
        column('Server', 'is-clip is-muted', (row) => (
          <PlainText isClipped>{row.units.join(', ')}</PlainText>
        )),
        column('Kind', 'waiting-kinds', kindsOf),
        column('Held', 'is-clip is-muted', (row) => (
          <PlainText isClipped>{row.reasons.join('; ')}</PlainText>
        )),
      ]}
    />
  )
}

const kindsOf = (row: Row) =>
  kinds
    .filter(([, , isIt]) => isIt(row))
    .map(([name, tone, , hint]) => {
      const isDefault = hint && !row.declared?.includes(hint)
      return (
        <Badge key={name} tone={isDefault ? 'still' : tone}>
          {isDefault ? `${name} by default` : name}
        </Badge>
      )
    })

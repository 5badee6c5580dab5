import { Fragment, type ReactNode, useState } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { formatBytes, formatCount } from '../text/numbers.ts'
import { Facts } from '../ui/facts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { cellsOf, headOf } from '../ui/table.tsx'
import { journalColumns } from './journal-rows.tsx'
import './journal-table.css'

type Line = Schemas['JournalLine']

const columns = journalColumns('second')

/** Lines of the journal. Each expands to all its fields. */
export function JournalTable({ lines }: { lines: Line[] }): ReactNode {
  const [open, setOpen] = useState<number>()
  return (
    <div className="table-scroll">
      <table className="table journal-table with-days">
        <caption>Lines of the journal, newest first</caption>
        <thead>
          <tr>
            {headOf(columns)}
            <th scope="col" className="journal-more">
              <span className="for-readers">Details</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <Fragment key={index}>
              <tr>
                {cellsOf(columns, line, true)}
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
                  <td colSpan={8} className="journal-detail">
                    <Facts
                      of={Object.entries(line).map(([name, value]) => [name, textOf(name, value)])}
                    />
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

function textOf(name: string, value: string | number): ReactNode {
  if (typeof value === 'string') return <PlainText>{value}</PlainText>
  return name.endsWith('Bytes') ? formatBytes(value) : formatCount(value)
}

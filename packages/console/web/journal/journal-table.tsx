import { Fragment, type ReactNode, useState } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { formatBytes, formatCount } from '../text/numbers.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { JournalCells, JournalHead } from './journal-rows.tsx'
import '../ui/facts.css'
import '../ui/table.css'
import './journal-table.css'

type Line = Schemas['JournalLine']

/** Lines of the journal. Each expands to all its fields. */
export function JournalTable({ lines }: { lines: Line[] }): ReactNode {
  const [open, setOpen] = useState<number>()
  return (
    <div className="table-scroll">
      <table className="table journal-table with-days">
        <caption>Lines of the journal, newest first</caption>
        <thead>
          <tr>
            <JournalHead />
            <th scope="col" className="journal-more">
              <span className="for-readers">Details</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <Fragment key={index}>
              <tr>
                <JournalCells line={line} timeStyle="second" />
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
                    <LineDetail line={line} />
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

function LineDetail({ line }: { line: Line }): ReactNode {
  return (
    <dl className="facts">
      {Object.entries(line).map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>
            {name.endsWith('Bytes') ? (
              formatBytes(value as number)
            ) : typeof value === 'number' ? (
              formatCount(value)
            ) : (
              <PlainText>{String(value)}</PlainText>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

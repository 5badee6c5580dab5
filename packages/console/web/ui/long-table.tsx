import { type ReactNode, useRef } from 'react'
import { cellsOf, headOf, type TableProps } from './table.tsx'
import { useRowsInSight } from './use-rows-in-sight.ts'
import './long-table.css'

interface LongTableProps<Row> extends TableProps<Row> {
  /** Height of every row in pixels. */
  rowHeight?: number
}

/** A scrolling table that renders visible rows only. */
export function LongTable<Row>(props: LongTableProps<Row>): ReactNode {
  const { caption, columns, rows, rowHeight = 34, keyOf, className = '', isUnnamed } = props
  const scroller = useRef<HTMLElement>(null)
  const { from, to, above, below } = useRowsInSight(scroller, rows.length, rowHeight)
  const rest = (height: number) =>
    height > 0 && (
      <tr className="long-table-rest">
        <td colSpan={columns.length} style={{ height }} />
      </tr>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section ref={scroller} className="long-table" aria-label={caption} tabIndex={0}>
      <table className={`table ${className}`} aria-rowcount={rows.length + 1}>
        <caption>{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>{headOf(columns)}</tr>
        </thead>
        <tbody>
          {rest(above)}
          {rows.slice(from, to).map((row, index) => (
            <tr
              key={keyOf(row, from + index)}
              aria-rowindex={from + index + 2}
              style={{ height: rowHeight }}
            >
              {cellsOf(columns, row, isUnnamed)}
            </tr>
          ))}
          {rest(below)}
        </tbody>
      </table>
    </section>
  )
}

import { type ReactNode, useRef } from 'react'
import { useRowsInSight } from './use-rows-in-sight.ts'
import './long-table.css'
import './table.css'

interface LongTableProps<Row> {
  caption: string
  head: ReactNode
  rows: readonly Row[]
  columns: number
  /** Height of every row in pixels. */
  rowHeight?: number
  /** The cells of a row. */
  children: (row: Row) => ReactNode
  keyOf: (row: Row) => string | number
  className?: string
}

/** A scrolling table that renders visible rows only. */
export function LongTable<Row>(props: LongTableProps<Row>): ReactNode {
  const { caption, head, rows, columns, rowHeight = 34, children, keyOf, className = '' } = props
  const scroller = useRef<HTMLElement>(null)
  const { from, to, above, below } = useRowsInSight(scroller, rows.length, rowHeight)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section ref={scroller} className="long-table" aria-label={caption} tabIndex={0}>
      <table className={`table ${className}`} aria-rowcount={rows.length + 1}>
        <caption>{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr className="long-table-rest">
              <td colSpan={columns} style={{ height: above }} />
            </tr>
          )}
          {rows.slice(from, to).map((row, index) => (
            <tr key={keyOf(row)} aria-rowindex={from + index + 2} style={{ height: rowHeight }}>
              {children(row)}
            </tr>
          ))}
          {below > 0 && (
            <tr className="long-table-rest">
              <td colSpan={columns} style={{ height: below }} />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

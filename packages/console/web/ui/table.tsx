import { Fragment, type ReactNode } from 'react'
import './table.css'

export interface Column<Row> {
  /** The text of its header, or a `th`. */
  head: ReactNode
  /** Of its cells; `is-number` also of the header. */
  className: string
  cell: (row: Row) => ReactNode
}

export const column = <Row,>(
  head: ReactNode,
  className: string,
  cell: (row: Row) => ReactNode,
): Column<Row> => ({ head, className, cell })

export interface TableProps<Row> {
  caption: string
  className?: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => string | number
  /** Without a column that names the row; otherwise the first one does. */
  isUnnamed?: boolean
}

/** A table that scrolls sideways. */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { caption, className = '', columns, rows, keyOf, isUnnamed } = props
  return (
    <div className="table-scroll">
      <table className={`table ${className}`}>
        <caption>{caption}</caption>
        <thead>
          <tr>{headOf(columns)}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>{cellsOf(columns, row, isUnnamed)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const headOf = <Row,>(columns: readonly Column<Row>[]): ReactNode =>
  columns.map(({ head, className }, index) =>
    typeof head === 'string' ? (
      <th key={index} scope="col" className={className === 'is-number' ? className : undefined}>
        {head}
      </th>
    ) : (
      <Fragment key={index}>{head}</Fragment>
    ),
  )

export const cellsOf = <Row,>(
  columns: readonly Column<Row>[],
  row: Row,
  isUnnamed = false,
): ReactNode =>
  columns.map(({ className, cell }, index) =>
    index === 0 && !isUnnamed ? (
      <th key={index} scope="row" className={className}>
        {cell(row)}
      </th>
    ) : (
      <td key={index} className={className}>
        {cell(row)}
      </td>
    ),
  )

import {
  Fragment,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import './table.css'
import './table-cards.css'
import './long-table.css'

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

interface TableProps<Row> {
  caption: string
  className?: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => string | number
  /** Without a column that names the row; otherwise the first one does. */
  isUnnamed?: boolean
}

/** A table that scrolls sideways. */
export function Table<Row>(props: TableProps<Row>) {
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

export const headOf = <Row,>(columns: readonly Column<Row>[]) =>
  columns.map(({ head, className }, index) =>
    typeof head === 'string' ? (
      <th key={index} scope="col" className={className === 'is-number' ? className : undefined}>
        {head}
      </th>
    ) : (
      <Fragment key={index}>{head}</Fragment>
    ),
  )

export const cellsOf = <Row,>(columns: readonly Column<Row>[], row: Row, isUnnamed = false) =>
  columns.map(({ head, className, cell }, index) =>
    index === 0 && !isUnnamed ? (
      <th key={index} scope="row" className={className}>
        {cell(row)}
      </th>
    ) : (
      // In a narrow window, where a row is a card, the name of the column is next to its value.
      <td key={index} className={className} data-head={nameOf(head)}>
        <div className="cell">{cell(row)}</div>
      </td>
    ),
  )

/** The text of a header, which may have markup. */
function nameOf(head: ReactNode): string | undefined {
  if (typeof head === 'string') return head
  const inner = (head as { props?: { children?: ReactNode } } | null)?.props?.children
  return inner === undefined ? undefined : nameOf(inner)
}

interface LongTableProps<Row> extends TableProps<Row> {
  /** Height of every row in pixels. */
  rowHeight?: number
  /** Below the row `index`. Its height in pixels is at most that of the spare rows. */
  detail?: { index: number; height: number; content: ReactNode } | undefined
}

/** A scrolling table that renders visible rows only. */
export function LongTable<Row>(props: LongTableProps<Row>) {
  const { caption, columns, rows, rowHeight = 34, keyOf, className = '', isUnnamed } = props
  const { index: open = -1, height: openHeight = 0, content } = props.detail ?? {}
  const scroller = useRef<HTMLElement>(null)
  const isNarrow = useNarrow()
  const height = isNarrow ? columns.length * cardLine + cardPadding : rowHeight
  const { from, to, above, below } = useRowsInSight(scroller, rows.length, height)
  const rest = (length: number) =>
    length > 0 && (
      <tr className="long-table-rest">
        <td colSpan={columns.length} style={{ height: length }} />
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
          {rest(above + (open < from ? openHeight : 0))}
          {rows.slice(from, to).map((row, index) => (
            <Fragment key={keyOf(row, from + index)}>
              <tr aria-rowindex={from + index + 2} style={{ height }}>
                {cellsOf(columns, row, isUnnamed)}
              </tr>
              {open === from + index && (
                <tr className="long-table-rest">
                  <td colSpan={columns.length} style={{ height: openHeight, padding: 0 }}>
                    <div className="long-table-detail" style={{ height: openHeight }}>
                      {content}
                    </div>
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
          {rest(below + (open >= to ? openHeight : 0))}
        </tbody>
      </table>
    </section>
  )
}

/** Pixels of a line of a card, and of its padding: cards have one height. */
const cardLine = 26
const cardPadding = 17

const narrow = '(max-width: 640px)'

function useNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(narrow)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => matchMedia(narrow).matches,
  )
}

const spare = 12

/**
 * The rows of equal height that a scrolling element shows, plus `spare` rows on either side, and the
 * heights of the omitted ones in pixels.
 */
function useRowsInSight(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [sight, setSight] = useState({ top: 0, height: 900 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      // Rounded to 4 rows, so that most scrolling causes no render.
      const top = Math.floor(element.scrollTop / rowHeight / 4) * rowHeight * 4
      const height = element.clientHeight
      setSight((before) =>
        before.top === top && before.height === height ? before : { top, height },
      )
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, rowHeight])
  const from = Math.max(0, Math.min(Math.floor(sight.top / rowHeight), count) - spare)
  const to = Math.min(count, Math.ceil((sight.top + sight.height) / rowHeight) + 4 + spare)
  return { from, to, above: from * rowHeight, below: (count - to) * rowHeight }
}

/**
 * Makes headers that sort a table by their column; "-" before its name in `sort` means descending.
 * Numbers are sorted in descending order first.
 */
export const sortHeaders =
  (sort: string, onSort: (sort: string) => void) =>
  (column: string, title: string, isNumber = false) => {
    const isDescending = sort === `-${column}`
    const isHere = isDescending || sort === column
    const isNextDescending = isHere ? !isDescending : isNumber
    return (
      <th
        scope="col"
        className={isNumber ? 'is-number' : undefined}
        aria-sort={isHere ? (isDescending ? 'descending' : 'ascending') : undefined}
      >
        <button
          type="button"
          className="sort-button"
          onClick={() => onSort(isNextDescending ? `-${column}` : column)}
        >
          {title}
        </button>
      </th>
    )
  }

/** Sorts by a column; "-" before its name means descending. Unknown columns count as `name`. */
export function sortedBy<Row>(
  rows: readonly Row[],
  sort: string,
  order: Readonly<Record<string, (a: Row, b: Row) => number>>,
): Row[] {
  const isDescending = sort.startsWith('-')
  const sorted = rows.toSorted(order[isDescending ? sort.slice(1) : sort] ?? order['name'])
  return isDescending ? sorted.reverse() : sorted
}

import type { ReactNode } from 'react'

interface SortHeaderProps {
  column: string
  /** The column sorted by; "-" before it if the largest is first. */
  sort: string
  onSort: (sort: string) => void
  /** Numbers are sorted from the largest first. */
  isNumber?: boolean
  children: string
}

export function SortHeader(props: SortHeaderProps): ReactNode {
  const { column, sort, onSort, isNumber, children } = props
  const isHere = sort === column || sort === `-${column}`
  const isFalling = sort === `-${column}`
  const next = isHere ? (isFalling ? column : `-${column}`) : isNumber ? `-${column}` : column
  return (
    <th
      scope="col"
      className={isNumber ? 'is-number' : undefined}
      aria-sort={isHere ? (isFalling ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="sort-button" onClick={() => onSort(next)}>
        {children}
      </button>
    </th>
  )
}

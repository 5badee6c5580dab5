import type { ReactNode } from 'react'

interface SortHeaderProps {
  column: string
  /** The sort column; "-" before it means descending. */
  sort: string
  onSort: (sort: string) => void
  /** Numbers are sorted in descending order first. */
  isNumber?: boolean
  children: string
}

export function SortHeader(props: SortHeaderProps): ReactNode {
  const { column, sort, onSort, isNumber, children } = props
  const isHere = sort === column || sort === `-${column}`
  const isDescending = sort === `-${column}`
  const next = isHere ? (isDescending ? column : `-${column}`) : isNumber ? `-${column}` : column
  return (
    <th
      scope="col"
      className={isNumber ? 'is-number' : undefined}
      aria-sort={isHere ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="sort-button" onClick={() => onSort(next)}>
        {children}
      </button>
    </th>
  )
}

import type { ReactNode } from 'react'

/**
 * Makes headers that sort a table by their column; "-" before its name in `sort` means descending.
 * Numbers are sorted in descending order first.
 */
export const sortHeaders =
  (sort: string, onSort: (sort: string) => void) =>
  (column: string, title: string, isNumber = false): ReactNode => {
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

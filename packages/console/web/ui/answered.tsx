import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { Skeleton } from './skeleton.tsx'

interface AnsweredProps<T> {
  query: UseQueryResult<T, Error>
  /** Lines of the placeholder while loading. */
  lines?: number
  /** A link to another page, shown with an error. */
  link?: ReactNode
  children: (answer: T) => ReactNode
}

/** A query: loading, an error, or its data. Old data stays visible with an error. */
export function Answered<T>({ query, lines = 6, link, children }: AnsweredProps<T>): ReactNode {
  const problem = query.error && (
    <ProblemNote error={query.error} onRetry={() => query.refetch()} link={link} />
  )
  if (query.data !== undefined)
    return (
      <>
        {problem}
        {children(query.data)}
      </>
    )
  if (problem) return problem
  return <Skeleton lines={lines} />
}

import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { Skeleton } from './skeleton.tsx'

interface AnsweredProps<T> {
  query: UseQueryResult<T, Error>
  /** Lines that stand in for the answer. */
  lines?: number
  children: (answer: T) => ReactNode
}

/** What a question came to: not yet, a problem, or the answer; an old one stays in sight. */
export function Answered<T>({ query, lines = 6, children }: AnsweredProps<T>): ReactNode {
  if (query.data !== undefined)
    return (
      <>
        {query.error && <ProblemNote error={query.error} onRetry={() => query.refetch()} />}
        {children(query.data)}
      </>
    )
  if (query.error) return <ProblemNote error={query.error} onRetry={() => query.refetch()} />
  return <Skeleton lines={lines} />
}

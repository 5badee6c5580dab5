import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { Skeleton } from './skeleton.tsx'

interface AnsweredProps<T> {
  query: UseQueryResult<T, Error>
  /** Lines that stand in for the answer. */
  lines?: number
  /** Where else one may go if it is a problem. */
  way?: ReactNode
  children: (answer: T) => ReactNode
}

/** What a question came to: not yet, a problem, or the answer; an old one stays in sight. */
export function Answered<T>({ query, lines = 6, way, children }: AnsweredProps<T>): ReactNode {
  const problem = query.error && (
    <ProblemNote error={query.error} onRetry={() => query.refetch()} way={way} />
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

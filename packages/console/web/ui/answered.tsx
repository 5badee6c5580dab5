import type { UseQueryResult } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { ProblemError } from '../api/answer-of.ts'
import { Button } from './button.tsx'
import { PlainText } from './plain-text.tsx'
import './skeleton.css'
import './problem-note.css'

interface AnsweredProps<T> {
  query: UseQueryResult<T, Error>
  /** Lines of the placeholder while loading. */
  lines?: number
  /** A link to another page, shown with an error. */
  link?: ReactNode
  children: (answer: T) => ReactNode
}

/** A query: loading, an error, or its data. Old data stays visible with an error. */
export function Answered<T>({ query, lines = 6, link, children }: AnsweredProps<T>) {
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

interface ProblemNoteProps {
  error: Error
  onRetry?: () => unknown
  /** A link to another page. */
  link?: ReactNode
}

export function ProblemNote({ error, onRetry, link }: ProblemNoteProps) {
  return (
    <div className="problem-note" role="alert">
      <div>
        <strong>
          <PlainText>{error.message}</PlainText>
        </strong>
        {error instanceof ProblemError && error.remedy && (
          <p>
            <PlainText>{error.remedy}</PlainText>
          </p>
        )}
        {link && <p>{link}</p>}
      </div>
      {onRetry && <Button onClick={() => onRetry()}>Retry</Button>}
    </div>
  )
}

/** A placeholder of about the same height while loading. */
export function Skeleton({ lines }: { lines: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="for-readers">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  )
}

interface ErrorBoundaryProps {
  children: ReactNode
  /** Shown instead of the children; default: a note about the error. */
  fallback?: (error: Error) => ReactNode
  /** Called before a retry. */
  onRetry?: () => void
}

/** Catches errors of its children. A class, since React has no hook for it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error }
  }

  readonly #retry = (): void => {
    this.props.onRetry?.()
    this.setState({ error: undefined as never })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return this.props.fallback?.(error) ?? <ProblemNote error={error} onRetry={this.#retry} />
  }
}

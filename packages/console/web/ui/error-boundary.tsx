import { Component, type ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'

interface ErrorBoundaryProps {
  children: ReactNode
  /** What is shown instead; a note about the error if absent. */
  fallback?: (error: Error) => ReactNode
  /** Called before it is tried again. */
  onRetry?: () => void
}

/** A class, as React has no other way: what breaks below it does not take the page with it. */
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

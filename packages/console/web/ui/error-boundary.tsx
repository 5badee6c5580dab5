import { Component, type ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'

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

import { Component, Fragment, type ReactNode, useEffect, useId, useRef } from 'react'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Button, CopyButton } from './button.tsx'
import { PlainText } from './plain-text.tsx'
import './page.css'
import './panel.css'
import './empty.css'
import './facts.css'
import './code-block.css'
import type { UseQueryResult } from '@tanstack/react-query'
import { ProblemError } from '../api/answer-of.ts'
import './skeleton.css'
import './problem-note.css'

interface PageProps {
  title: string
  /** Replaces the title in the heading, if it needs markup. */
  heading?: ReactNode
  intro?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The first page does not move the focus. */
const navigation = { isFirst: true }

/** A page. Its `h1` takes the focus after navigation. */
export function Page({ title, heading, intro, actions, children }: PageProps) {
  const h1 = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${spellOddCharacters(title)} · Pith console`
  }, [title])
  useEffect(() => {
    if (navigation.isFirst) navigation.isFirst = false
    else h1.current?.focus()
  }, [])
  return (
    <div className="page">
      <header className="page-header">
        <div className="page-title">
          <h1 ref={h1} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {intro && <p>{intro}</p>}
        </div>
        {actions && <div className="button-row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface PanelProps {
  title: string
  aside?: ReactNode
  /** Without padding, for tables. */
  isFlush?: boolean
  children: ReactNode
}

export function Panel({ title, aside, isFlush, children }: PanelProps) {
  const id = useId()
  return (
    <section className={isFlush ? 'panel is-flush' : 'panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <PlainText>{title}</PlainText>
        </h2>
        {aside && <div className="panel-aside">{aside}</div>}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  )
}

interface EmptyProps {
  title: string
  children?: ReactNode
  /** A command that adds content here. */
  command?: string
}

export function Empty({ title, children, command }: EmptyProps) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {command && (
        <div className="empty-command">
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </div>
      )}
    </div>
  )
}

/** Names and values. Texts are of others. Those without a value are omitted. */
export function Facts({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) =>
        value ? (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? <PlainText>{value}</PlainText> : value}</dd>
          </Fragment>
        ) : null,
      )}
    </dl>
  )
}

interface CodeBlockProps {
  label: string
  children: string
  isTall?: boolean
}

/** Verbatim text that scrolls, and can be focused and copied. */
export function CodeBlock({ label, children, isTall }: CodeBlockProps) {
  return (
    <div className="code-block">
      <section
        className={isTall ? 'is-tall' : undefined}
        aria-label={spellOddCharacters(label)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
      >
        <pre>
          <PlainText>{children}</PlainText>
        </pre>
      </section>
      <CopyButton text={children} label={`Copy: ${label}`} />
    </div>
  )
}

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

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Dot } from '../ui/badge.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useConcerns } from './use-concerns.ts'
import './attention-panel.css'

const maxShown = 6

/** Problems and approvals that need a person. */
export function AttentionPanel(): ReactNode {
  const { concerns, isReady, error } = useConcerns()
  return (
    <Panel
      title="Needs attention"
      aside={isReady && concerns.length > 0 && concerns.length}
      isFlush
    >
      {error && <ProblemNote error={error} />}
      {!isReady && !error && <Skeleton lines={5} />}
      {isReady && concerns.length === 0 && (
        <Empty title="No problems">Nothing needs your attention.</Empty>
      )}
      {concerns.length > 0 && (
        <ul className="concerns">
          {concerns.slice(0, maxShown).map(({ key, tone, path, title, more }) => (
            <li key={key}>
              <Link href={path}>
                <Dot tone={tone}>
                  <PlainText isClipped>{title}</PlainText>
                </Dot>
                <span>
                  <PlainText isClipped>{more}</PlainText>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {concerns.length > maxShown && (
        <p className="concerns-more">
          and {concerns.length - maxShown} more on <Link href="/servers">Servers</Link> and{' '}
          <Link href="/pins">Pins</Link>
        </p>
      )}
    </Panel>
  )
}

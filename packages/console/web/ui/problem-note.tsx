import type { ReactNode } from 'react'
import { ProblemError } from '../api/answer-of.ts'
import { Button } from './button.tsx'
import { PlainText } from './plain-text.tsx'
import './problem-note.css'

interface ProblemNoteProps {
  error: Error
  onRetry?: () => unknown
  /** A link to another page. */
  link?: ReactNode
}

export function ProblemNote({ error, onRetry, link }: ProblemNoteProps): ReactNode {
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

import { type ReactNode, useId } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { Badge } from '../ui/badge.tsx'
import { WriteButton } from '../ui/button.tsx'
import { CheckField } from '../ui/check-field.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { Time } from '../ui/time.tsx'
import { DiffView } from './diff-view.tsx'

interface WaitingToolViewProps {
  waiting: Schemas['WaitingTool']
  isLooked: boolean
  isBusy: boolean
  onLooked: (isLooked: boolean) => void
  onApprove: () => void
}

export function WaitingToolView(props: WaitingToolViewProps): ReactNode {
  const { waiting, isLooked, isBusy, onLooked, onApprove } = props
  const { tool, hash, reasons, seenAt, isNew, diff, definition } = waiting
  const id = useId()
  return (
    <article className="waiting-tool" aria-labelledby={id}>
      <header>
        <h3 id={id}>
          <PlainText>{tool}</PlainText>
        </h3>
        <Badge tone={isNew ? 'info' : 'warn'}>{isNew ? 'new' : 'changed'}</Badge>
        <span className="waiting-when">
          seen <Time of={seenAt} style="relative" />, <code title={hash}>{hash.slice(0, 12)}</code>
        </span>
        <CheckField isChecked={isLooked} onChange={onLooked}>
          Reviewed
        </CheckField>
        <WriteButton isBusy={isBusy} aria-label={`Approve ${tool}`} onClick={onApprove}>
          Approve
        </WriteButton>
      </header>
      <ul className="waiting-reasons">
        {reasons.map((reason) => (
          <li key={reason}>
            <PlainText>{reason}</PlainText>
          </li>
        ))}
      </ul>
      {diff.length > 0 && <DiffView label={`Changes of ${tool}`} lines={diff} />}
      {definition ? (
        <details>
          <summary>Full definition</summary>
          <CodeBlock label={`Definition of ${tool}`}>
            {JSON.stringify(definition, null, 2)}
          </CodeBlock>
        </details>
      ) : (
        <p className="waiting-long">
          The full definition is too long to show. The changes are above.
        </p>
      )}
    </article>
  )
}

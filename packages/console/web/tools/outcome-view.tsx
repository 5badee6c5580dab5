import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { countOf, formatMilliseconds } from '../text/numbers.ts'
import { Badge } from '../ui/badge.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Panel } from '../ui/panel.tsx'

type Outcome = Schemas['ToolOutcome']

/** The result of a call: its texts, and the full result as JSON. */
export function OutcomeView({ outcome }: { outcome: Outcome }): ReactNode {
  const texts = textsOf(outcome.result)
  return (
    <Panel
      title="Result"
      aside={
        <>
          <Badge tone={outcome.isError ? 'bad' : 'ok'}>{outcome.isError ? 'error' : 'ok'}</Badge>
          {formatMilliseconds(outcome.ms)} · {countOf(outcome.tokens, 'token')}
        </>
      }
    >
      <div className="tool-column">
        {texts.map((text, index) => (
          <CodeBlock key={index} label={`Text ${index + 1}`}>
            {text}
          </CodeBlock>
        ))}
        <details open={texts.length === 0}>
          <summary>Full result</summary>
          <CodeBlock label="Full result">{JSON.stringify(outcome.result, null, 2)}</CodeBlock>
        </details>
      </div>
    </Panel>
  )
}

function textsOf({ content }: Outcome['result']): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part: { type?: unknown; text?: unknown }) =>
    part?.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  )
}

import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Schemas } from '../api/answer-of.ts'
import { useAct } from '../api/hooks.ts'
import { JsonForm, type TryFormProps } from '../forms/json-form.tsx'
import { countOf, formatMilliseconds } from '../text/numbers.ts'
import { ChoiceField, Segmented } from '../ui/fields.tsx'
import { CodeBlock, ErrorBoundary, Panel, ProblemNote, Skeleton } from '../ui/page.tsx'
import { Badge } from '../ui/plain-text.tsx'
import './try-panel.css'

const SchemaForm = lazy(async () => ({
  default: (await import('../forms/schema-form.tsx')).SchemaForm,
}))

/** Calls the tool with arguments from a form, or from JSON. The result scrolls into view. */
export function TryPanel({ tool }: { tool: Schemas['ToolDetail'] }) {
  const { accounts, server, name } = tool
  const [view, setView] = useState<'form' | 'json'>('form')
  const [args, setArgs] = useState<Record<string, unknown>>({})
  const [account, setAccount] = useState(accounts[0])
  const call = useAct({
    send: (api, input: Record<string, unknown>) =>
      api.POST('/api/v1/tools/call', {
        body: { server, name, arguments: input, ...(account !== undefined && { account }) },
      }),
    invalidates: [],
    isQuiet: true,
  })
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (call.submittedAt > 0 && !call.isPending)
      outcome.current?.scrollIntoView({ block: 'nearest' })
  }, [call.submittedAt, call.isPending])
  const form: TryFormProps = {
    schema: tool.definition['inputSchema'],
    args,
    isBusy: call.isPending,
    onChange: setArgs,
    onCall: (input) => call.mutate(input),
  }
  return (
    <div className="tool-column">
      <Panel
        title="Try it"
        aside={
          <Segmented
            label="Arguments as"
            value={view}
            options={[
              ['form', 'Form'],
              ['json', 'JSON'],
            ]}
            onChange={setView}
          />
        }
      >
        <div className="try-form">
          {tool.isDestructive && (
            <p className="try-warning">This tool is marked as destructive, and the call is real.</p>
          )}
          {accounts.length > 1 && (
            <ChoiceField
              label="Account"
              options={accounts.map((accountName) => [accountName, accountName])}
              value={account ?? ''}
              onChange={setAccount}
            />
          )}
          <ArgumentsForm view={view} {...form} />
        </div>
      </Panel>
      <div ref={outcome} className="try-outcome" aria-live="polite">
        {call.error && <ProblemNote error={call.error} />}
        {call.data && <OutcomeView outcome={call.data} />}
      </div>
    </div>
  )
}

/** A form made from the schema, or a text field for JSON, also for schemas that cannot be a form. */
function ArgumentsForm({ view, ...form }: TryFormProps & { view: 'form' | 'json' }) {
  const byJson = <JsonForm key={view} {...form} />
  if (view === 'json') return byJson
  return (
    <ErrorBoundary fallback={() => byJson}>
      <Suspense fallback={<Skeleton lines={4} />}>
        <SchemaForm {...form} />
      </Suspense>
    </ErrorBoundary>
  )
}

type Outcome = Schemas['ToolOutcome']

/** The result of a call: its texts, and the full result as JSON. */
function OutcomeView({ outcome }: { outcome: Outcome }) {
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

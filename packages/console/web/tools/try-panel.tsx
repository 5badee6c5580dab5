import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useAct } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { JsonForm, type TryFormProps } from '../forms/json-form.tsx'
import { countOf, formatMilliseconds } from '../text/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ChoiceField, Segmented } from '../ui/fields.tsx'
import { CodeBlock, ErrorBoundary, Facts, Panel, ProblemNote, Skeleton } from '../ui/page.tsx'
import { Badge } from '../ui/plain-text.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import './try-panel.css'

const SchemaForm = lazy(async () => ({
  default: (await import('../forms/schema-form.tsx')).SchemaForm,
}))

/** In the JSON of an answer. */
const again = 'add \\"again\\": true'

/** Calls the tool with arguments from a form, or from JSON. The result scrolls into view. */
export function TryPanel({ tool }: { tool: Schemas['ToolDetail'] }) {
  const { accounts, server, name } = tool
  const [view, setView] = useState<'form' | 'json'>('form')
  const [args, setArgs] = useState<Record<string, unknown>>({})
  const [account, setAccount] = useState(accounts[0])
  const [riskyArgs, setRiskyArgs] = useState<Record<string, unknown>>()
  const isRisky = tool.isDestructive && !tool.isReadOnly
  const unit = account === undefined ? {} : { account }
  const isHeldRef = useRef(false)
  const call = useAct({
    send: (api, input: Record<string, unknown>) =>
      api.POST('/api/v1/tools/call', {
        body: { server, name, arguments: input, again: isHeldRef.current, ...unit },
      }),
    invalidates: [],
    isQuiet: true,
  })
  // What the answer to a repetition says to add: the next press of the button is that.
  isHeldRef.current = JSON.stringify(call.data?.result ?? '').includes(again)
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
    onCall: (input) => (isRisky ? setRiskyArgs(input) : call.mutate(input)),
    onInvalid: call.reset,
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
          {isRisky && (
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
      <ExplainPanel called={{ server, tool: name, ...unit }} args={args} />
      {riskyArgs && (
        <ConfirmDialog
          facts={{ Server: server, Account: account, Tool: name }}
          args={riskyArgs}
          onClose={() => setRiskyArgs(undefined)}
          onConfirm={() => call.mutate(riskyArgs)}
        />
      )}
    </div>
  )
}

interface ConfirmDialogProps {
  facts: Record<string, string | undefined>
  args: object
  onClose: () => void
  onConfirm: () => void
}

/** Shows what a destructive call would do, before it is made. */
function ConfirmDialog({ facts, args, onClose, onConfirm }: ConfirmDialogProps) {
  const confirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog title="Call this destructive tool?" onClose={onClose}>
      <Facts of={Object.entries(facts)} />
      <CodeBlock label="Arguments">{JSON.stringify(args, null, 2)}</CodeBlock>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" onClick={confirm}>
          Call
        </Button>
      </div>
    </Dialog>
  )
}

/** A form made from the schema, or a text field for JSON, also for schemas that cannot be a form. */
export function ArgumentsForm({ view, ...form }: TryFormProps & { view: 'form' | 'json' }) {
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

type Outcome = Schemas['ToolOutcome'] & { cut?: number }

/** The result of a call, a prompt or a resource: its texts, and the full result as JSON. */
export function OutcomeView({ outcome }: { outcome: Outcome }) {
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
        {outcome.cut !== undefined && outcome.cut > 0 && (
          <p>{countOf(outcome.cut, 'character')} at the end are left out here, not for clients.</p>
        )}
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

/** Of the content of a tool, of the messages of a prompt, or of the parts of a resource. */
function textsOf({ content, messages, contents }: Outcome['result']): string[] {
  const parts = [content, messages, contents].flat() as ({ content?: unknown } | undefined)[]
  return parts
    .flatMap((part) => part?.content ?? part)
    .flatMap((part) => {
      const { text } = Object(part) as { text?: unknown }
      return typeof text === 'string' ? [text] : []
    })
}

import { sameData } from '@pith-mcp/base/table'
import { useState } from 'react'
import { type ExplainQuery, useAct, useProfiles } from '../api/hooks.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { CodeBlock, Facts, Panel, ProblemNote } from '../ui/page.tsx'

const effects = {
  allow: 'is made at once',
  ask: 'waits until a person approves it',
  deny: 'is denied',
}

const unasked = { data: undefined, error: null }

interface ExplainPanelProps {
  called: ExplainQuery
  args: object
}

/** What would happen to a call, and which setting says so. Nothing is called. */
export function ExplainPanel({ called, args }: ExplainPanelProps) {
  const [client, setClient] = useState('')
  const profiles = useProfiles().data ?? []
  const clients = ['profile', 'caller'].flatMap((kind) =>
    profiles
      .flatMap(({ name = [], callers }) => (kind === 'caller' ? callers : name))
      .map((name) => [`${kind} ${name}`, `${kind}: ${name}`] as const),
  )
  const [kind = '', ...words] = client.split(' ')
  const who = kind && { [kind]: words.join(' ') }
  const query: ExplainQuery = {
    ...called,
    params: JSON.stringify(args),
    ...who,
  }
  const explain = useAct({
    send: (api, input: ExplainQuery) => api.GET('/api/v1/explain', { params: { query: input } }),
    invalidates: [],
    isQuiet: true,
  })
  // Not of arguments that were entered before.
  const { data: answer, error } = sameData(explain.variables, query) ? explain : unasked
  return (
    <Panel title="What would happen?">
      <div className="try-form">
        <div className="toolbar">
          <ChoiceField
            label="Called by"
            options={[['', 'Any client'], ...clients]}
            value={client}
            onChange={setClient}
          />
          <Button isBusy={explain.isPending} onClick={() => explain.mutate(query)}>
            Explain
          </Button>
        </div>
        <div className="try-form" aria-live="polite">
          {error && <ProblemNote error={error} />}
          {answer && (
            <>
              <Facts
                of={[
                  ['The call', effects[answer.effect]],
                  ['Because of', [answer.setting, answer.reason].filter(Boolean).join(': ')],
                  ['In', answer.files.join(', ')],
                  ['Remedy', answer.remedy],
                  ['Approved by', answer.needsAnother && 'another person than the caller'],
                  ['Mended', answer.repairs.join(' ')],
                ]}
              />
              <Facts of={answer.steps.map(({ setting, says }) => [setting, says])} />
              <CodeBlock label="Arguments as they are sent">
                {JSON.stringify(answer.args, null, 2)}
              </CodeBlock>
            </>
          )}
        </div>
      </div>
    </Panel>
  )
}

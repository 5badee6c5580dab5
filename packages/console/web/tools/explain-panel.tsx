import { sameData } from '@pith-mcp/base/table'
import { useState } from 'react'
import { useAct, useProfiles } from '../api/hooks.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { CodeBlock, Panel, ProblemNote } from '../ui/page.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'

const effects = {
  allow: ['ok', 'is called at once'],
  ask: ['warn', 'waits until a person approves it'],
  deny: ['bad', 'is denied'],
} as const

interface ExplainPanelProps {
  server: string
  tool: string
  account: string | undefined
  args: object
}

/** What would happen to a call, and which setting says so. Nothing is called. */
export function ExplainPanel({ account, args, ...called }: ExplainPanelProps) {
  const [client, setClient] = useState('')
  const profiles = useProfiles().data ?? []
  const clients = ['profile', 'caller'].flatMap((kind) =>
    profiles
      .flatMap(({ name = [], callers }) => (kind === 'caller' ? callers : name))
      .map((name) => [`${kind} ${name}`, `${kind}: ${name}`] as const),
  )
  const [kind = '', ...words] = client.split(' ')
  const who = kind && { [kind]: words.join(' ') }
  const query = {
    ...called,
    ...(account !== undefined && { account }),
    params: JSON.stringify(args),
    ...who,
  }
  const explain = useAct({
    send: (api, asked: typeof query) => api.GET('/api/v1/explain', { params: { query: asked } }),
    invalidates: [],
    isQuiet: true,
  })
  // The answer is for these arguments, and not for those that were entered since.
  const answer = sameData(explain.variables, query) ? explain.data : undefined
  const [tone, effect] = effects[answer?.effect ?? 'allow']
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
          {explain.error && <ProblemNote error={explain.error} />}
          {answer && (
            <>
              <p className="explained">
                <Badge tone={tone}>{answer.effect}</Badge> The call {effect}, because of{' '}
                <PlainText isCode>{answer.setting}</PlainText>
                {answer.reason && <PlainText>{`: ${answer.reason}`}</PlainText>}
                {answer.needsAnother && '. Another person than the caller must approve it.'}
              </p>
              {answer.repairs.map((repair) => (
                <PlainText key={repair}>{repair}</PlainText>
              ))}
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

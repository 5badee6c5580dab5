import type { ReactNode } from 'react'
import { useAct } from '../api/use-act.ts'
import { Badge } from '../ui/badge.tsx'
import { WriteButton } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'

export function CheckupPanel({ unit }: { unit: string }): ReactNode {
  const check = useAct({
    send: (api) => api.POST('/api/v1/servers/{unit}/check', { params: { path: { unit } } }),
    invalidates: [],
    isQuiet: true,
  })
  return (
    <Panel
      title="Checkup"
      aside={
        <>
          {check.data && (
            <Badge tone={check.data.isHealthy ? 'ok' : 'bad'}>
              {check.data.isHealthy ? 'No problems' : 'Problems found'}
            </Badge>
          )}
          <WriteButton isBusy={check.isPending} onClick={() => check.mutate(undefined)}>
            {check.isPending ? 'Checking…' : check.data ? 'Check again' : 'Check'}
          </WriteButton>
        </>
      }
    >
      <div aria-live="polite">
        {check.error && <ProblemNote error={check.error} />}
        {check.data ? (
          <ul className="checkup">
            {check.data.lines.map((line, index) => (
              <li key={index}>
                <PlainText>{line}</PlainText>
              </li>
            ))}
          </ul>
        ) : (
          <p>
            Starts the server next to the running one, lists what it offers, and reports problems.
          </p>
        )}
      </div>
    </Panel>
  )
}

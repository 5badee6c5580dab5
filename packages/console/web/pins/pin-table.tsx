import { type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import { answerOf, type Schemas } from '../api/create-api.ts'
import { useAct } from '../api/use-act.ts'
import { formatCount } from '../text/numbers.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import '../ui/table.css'

export function PinTable({ servers }: { servers: Schemas['PinnedServer'][] }): ReactNode {
  const { api } = useConsole()
  const [asked, setAsked] = useState<string>()
  const reset = useAct({
    ask: (server: string) => answerOf(api.POST('/api/v1/pins/reset', { body: { server } })),
    changes: ['pins', 'tools'],
    says: (_answer, server) => `The pins of ${server} are forgotten.`,
    done: () => setAsked(undefined),
  })
  return (
    <Panel title="What is pinned" isFlush>
      <div className="table-scroll">
        <table className="table">
          <caption>Pins by server</caption>
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col">Of</th>
              <th scope="col" className="is-number">
                Pinned
              </th>
              <th scope="col" className="is-number">
                Waiting
              </th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {servers.map(({ server, source, pinned, waiting }) => (
              <tr key={`${server}\n${source}`}>
                <th scope="row">
                  <PlainText>{server}</PlainText>
                </th>
                <td className="is-clip is-muted">
                  <PlainText isClipped isCode>
                    {source}
                  </PlainText>
                </td>
                <td className="is-number">{formatCount(pinned)}</td>
                <td className="is-number">{formatCount(waiting.length)}</td>
                <td className="is-narrow">
                  <WriteButton
                    kind="danger"
                    aria-label={`Reset the pins of ${server}`}
                    onClick={() => setAsked(server)}
                  >
                    Reset
                  </WriteButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked !== undefined && (
        <ConfirmDialog
          title="Forget these pins?"
          action="Forget them"
          isBusy={reset.isPending}
          onConfirm={() => reset.mutate(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            Whatever <PlainText>{asked}</PlainText> says next is trusted and pinned anew, also what
            waits now.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

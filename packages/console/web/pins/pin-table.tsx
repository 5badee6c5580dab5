import { type ReactNode, useState } from 'react'
import { answerOf } from '../api/answer-of.ts'
import { useConsole } from '../api/console-context.ts'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'
import { formatCount } from '../text/numbers.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import '../ui/table.css'

export function PinTable({ servers }: { servers: Schemas['PinnedServer'][] }): ReactNode {
  const { api } = useConsole()
  const [selected, setSelected] = useState<string>()
  const reset = useAct({
    send: (server: string) => answerOf(api.POST('/api/v1/pins/reset', { body: { server } })),
    invalidates: ['pins', 'tools'],
    successText: (_answer, server) => `Pins of ${server} reset.`,
    onDone: () => setSelected(undefined),
  })
  return (
    <Panel title="Pinned definitions" isFlush>
      <div className="table-scroll">
        <table className="table">
          <caption>Pins by server</caption>
          <thead>
            <tr>
              <th scope="col">Server</th>
              <th scope="col">Source</th>
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
                    onClick={() => setSelected(server)}
                  >
                    Reset
                  </WriteButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {selected !== undefined && (
        <ConfirmDialog
          title="Reset these pins?"
          action="Reset"
          isBusy={reset.isPending}
          onConfirm={() => reset.mutate(selected)}
          onClose={() => setSelected(undefined)}
        >
          <p>
            The next definitions of <PlainText>{selected}</PlainText> are trusted and pinned,
            including those that wait for approval now.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

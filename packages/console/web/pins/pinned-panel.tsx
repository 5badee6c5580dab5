import { type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'
import { countOf } from '../text/numbers.ts'
import { WriteButton } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { WaitingToolView } from './waiting-tool-view.tsx'
import './pins.css'

type Approval = Schemas['Approval']['tools']

/** The waiting tools of a server. Approves exactly the definitions on the screen, by hash. */
export function PinnedPanel({ pinned }: { pinned: Schemas['PinnedServer'] }): ReactNode {
  const { toasts } = useConsole()
  const { server, waiting } = pinned
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set())
  const approve = useAct({
    send: (api, tools: Approval) => api.POST('/api/v1/pins/approve', { body: { server, tools } }),
    invalidates: ['pins', 'tools', 'servers'],
    onDone({ approved, changed }) {
      if (approved.length > 0)
        toasts.show(`${countOf(approved.length, 'tool')} of ${server} approved.`)
      if (changed.length > 0)
        toasts.showError(
          new Error(`Changed again since your review: ${changed.join(', ')}. Review them again.`),
        )
    },
  })
  const ready = waiting.filter(({ hash }) => looked.has(hash))
  const toggle = (hash: string, isLooked: boolean) => {
    const next = new Set(looked)
    if (isLooked) next.add(hash)
    else next.delete(hash)
    setLooked(next)
  }
  return (
    <Panel
      title={server}
      aside={
        <>
          {ready.length} of {waiting.length} reviewed
          <WriteButton
            kind="main"
            isBusy={approve.isPending}
            disabledReason={
              ready.length === 0 ? 'Mark the tools that you have reviewed first.' : undefined
            }
            onClick={() => approve.mutate(ready.map(({ tool, hash }) => ({ tool, hash })))}
          >
            Approve reviewed
          </WriteButton>
        </>
      }
      isFlush
    >
      {waiting.map((one) => (
        <WaitingToolView
          key={one.hash}
          waiting={one}
          isLooked={looked.has(one.hash)}
          isBusy={approve.isPending}
          onLooked={(isLooked) => toggle(one.hash, isLooked)}
          onApprove={() => approve.mutate([{ tool: one.tool, hash: one.hash }])}
        />
      ))}
    </Panel>
  )
}

import { type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import { answerOf, type Schemas } from '../api/create-api.ts'
import { useAct } from '../api/use-act.ts'
import { countOf } from '../text/numbers.ts'
import { WriteButton } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { WaitingToolView } from './waiting-tool-view.tsx'
import './pins.css'

type Approval = Schemas['Approval']['tools']

/** What waits of a server. What is approved is what was on the screen, by its hash. */
export function PinnedPanel({ pinned }: { pinned: Schemas['PinnedServer'] }): ReactNode {
  const { api, toasts } = useConsole()
  const { server, waiting } = pinned
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set())
  const approve = useAct({
    ask: (tools: Approval) =>
      answerOf(api.POST('/api/v1/pins/approve', { body: { server, tools } })),
    changes: ['pins', 'tools', 'servers'],
    done({ approved, changed }) {
      if (approved.length > 0)
        toasts.show(`${countOf(approved.length, 'tool')} of ${server} approved.`)
      if (changed.length > 0)
        toasts.showError(
          new Error(`Changed again since you looked: ${changed.join(', ')}. Look once more.`),
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
          {ready.length} of {waiting.length} looked at
          <WriteButton
            kind="main"
            isBusy={approve.isPending}
            why={ready.length === 0 ? 'Mark those you have looked at first.' : undefined}
            onClick={() => approve.mutate(ready.map(({ tool, hash }) => ({ tool, hash })))}
          >
            Approve what I looked at
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

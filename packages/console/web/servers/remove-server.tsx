import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { useConsole } from '../api/console-context.ts'
import { answerOf, type Schemas } from '../api/create-api.ts'
import { useAct } from '../api/use-act.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'

/** Switches a server off in the configuration, or takes it out. */
export function RemoveServer({ server }: { server: Schemas['Server'] }): ReactNode {
  const { api } = useConsole()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const { name, state } = server
  const path = { name }
  const isOff = state === 'disabled'
  const toggle = useAct({
    ask: () =>
      answerOf(api.PATCH('/api/v1/servers/{name}', { params: { path }, body: { enabled: isOff } })),
    changes: ['servers', 'server', 'receipt', 'tools'],
    says: () => `${name} is ${isOff ? 'enabled' : 'disabled'} in the configuration.`,
  })
  const remove = useAct({
    ask: () => answerOf(api.DELETE('/api/v1/servers/{name}', { params: { path } })),
    changes: ['servers', 'receipt', 'tools'],
    says: () => `${name} is taken out of the configuration.`,
    done: () => navigate('/servers'),
  })
  return (
    <>
      <WriteButton isBusy={toggle.isPending} onClick={() => toggle.mutate(undefined)}>
        {isOff ? 'Enable' : 'Disable'}
      </WriteButton>
      <WriteButton kind="danger" onClick={() => setAsking(true)}>
        Remove
      </WriteButton>
      {isAsking && (
        <ConfirmDialog
          title="Remove this server?"
          action="Remove it"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>
            <PlainText>{name}</PlainText> is taken out of the configuration file, with all its
            accounts. To keep its settings, disable it.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

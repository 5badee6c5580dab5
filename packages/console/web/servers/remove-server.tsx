import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { PlainText } from '../ui/plain-text.tsx'

/** Buttons that disable or remove a server in the configuration. */
export function RemoveServer({ server }: { server: Schemas['Server'] }): ReactNode {
  const [, navigate] = useLocation()
  const { name, state } = server
  const path = { name }
  const isOff = state === 'disabled'
  const toggle = useAct({
    send: (api) =>
      api.PATCH('/api/v1/servers/{name}', { params: { path }, body: { enabled: isOff } }),
    invalidates: ['servers', 'server', 'receipt', 'tools'],
    successText: () => `${name} ${isOff ? 'enabled' : 'disabled'} in the configuration.`,
  })
  return (
    <>
      <WriteButton isBusy={toggle.isPending} onClick={() => toggle.mutate(undefined)}>
        {isOff ? 'Enable' : 'Disable'}
      </WriteButton>
      <ConfirmButton
        action="Remove"
        title="Remove this server?"
        send={(api) => api.DELETE('/api/v1/servers/{name}', { params: { path } })}
        invalidates={['servers', 'receipt', 'tools']}
        successText={() => `${name} removed from the configuration.`}
        onDone={() => navigate('/servers')}
      >
        <p>
          <PlainText>{name}</PlainText> and all its accounts are removed from the configuration
          file. To keep its settings, disable it instead.
        </p>
      </ConfirmButton>
    </>
  )
}

import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { formatCount } from '../text/numbers.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'

const columns: readonly Column<Schemas['PinnedServer']>[] = [
  column('Server', '', ({ server }) => <PlainText>{server}</PlainText>),
  column('Source', 'is-clip is-muted', ({ source }) => (
    <PlainText isClipped isCode>
      {source}
    </PlainText>
  )),
  column('Pinned', 'is-number', ({ pinned }) => formatCount(pinned)),
  column('Waiting', 'is-number', ({ waiting }) => formatCount(waiting.length)),
  column('Actions', 'is-narrow', ({ server }) => <Reset server={server} />),
]

export function PinTable({ servers }: { servers: Schemas['PinnedServer'][] }): ReactNode {
  return (
    <Panel title="Pinned definitions" isFlush>
      <Table
        caption="Pins by server"
        columns={columns}
        rows={servers}
        keyOf={({ server, source }) => `${server}\n${source}`}
      />
    </Panel>
  )
}

function Reset({ server }: { server: string }): ReactNode {
  return (
    <ConfirmButton
      action="Reset"
      label={`Reset the pins of ${server}`}
      title="Reset these pins?"
      send={(api) => api.POST('/api/v1/pins/reset', { body: { server } })}
      invalidates={['pins', 'tools']}
      successText={() => `Pins of ${server} reset.`}
    >
      <p>
        The next definitions of <PlainText>{server}</PlainText> are trusted and pinned, including
        those that wait for approval now.
      </p>
    </ConfirmButton>
  )
}

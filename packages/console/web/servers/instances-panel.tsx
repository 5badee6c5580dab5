import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { formatCount, formatMilliseconds } from '../text/numbers.ts'
import { Dot } from '../ui/badge.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'

const tones = { ready: 'ok', starting: 'info', down: 'bad', stopped: 'still' } as const

const columns: readonly Column<Schemas['Instance']>[] = [
  column('State', 'is-narrow', ({ state, retryInMs }) => (
    <>
      <Dot tone={tones[state]}>{state}</Dot>
      {retryInMs > 0 && ` · retry in ${formatMilliseconds(retryInMs)}`}
    </>
  )),
  column('Calls', 'is-number', ({ calls }) => formatCount(calls)),
  column('Starts', 'is-number', ({ starts }) => formatCount(starts)),
  column('Failures', 'is-number', ({ failures }) => formatCount(failures)),
  column('Last error', 'is-clip is-muted', ({ lastError }) => (
    <PlainText isClipped>{lastError ?? '–'}</PlainText>
  )),
]

/** A server may run several times, for clients with different capabilities. */
export function InstancesPanel({ instances }: { instances: Schemas['Instance'][] }): ReactNode {
  if (instances.length === 0) return null
  return (
    <Panel title="Instances" isFlush>
      <Table
        caption="Instances of the server"
        columns={columns}
        rows={instances}
        keyOf={(_, index) => index}
        isUnnamed
      />
    </Panel>
  )
}

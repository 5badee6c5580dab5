import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { formatCount, formatMilliseconds } from '../text/numbers.ts'
import { Dot } from '../ui/badge.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import '../ui/table.css'

const tones = { ready: 'ok', starting: 'info', down: 'bad', stopped: 'still' } as const

/** A server may run several times, for clients with different capabilities. */
export function InstancesPanel({ instances }: { instances: Schemas['Instance'][] }): ReactNode {
  if (instances.length === 0) return null
  return (
    <Panel title="Instances" isFlush>
      <div className="table-scroll">
        <table className="table">
          <caption>Instances of the server</caption>
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col" className="is-number">
                Calls
              </th>
              <th scope="col" className="is-number">
                Starts
              </th>
              <th scope="col" className="is-number">
                Failures
              </th>
              <th scope="col">Last error</th>
            </tr>
          </thead>
          <tbody>
            {instances.map((instance, index) => (
              <tr key={index}>
                <td className="is-narrow">
                  <Dot tone={tones[instance.state]}>{instance.state}</Dot>
                  {instance.retryInMs > 0 &&
                    ` · retry in ${formatMilliseconds(instance.retryInMs)}`}
                </td>
                <td className="is-number">{formatCount(instance.calls)}</td>
                <td className="is-number">{formatCount(instance.starts)}</td>
                <td className="is-number">{formatCount(instance.failures)}</td>
                <td className="is-clip is-muted">
                  <PlainText isClipped>{instance.lastError ?? '–'}</PlainText>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

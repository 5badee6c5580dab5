import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { readParameters } from './read-parameters.ts'
import '../ui/table.css'

export function ParameterTable({ schema }: { schema: unknown }): ReactNode {
  const parameters = readParameters(schema)
  return (
    <Panel title="Parameters" isFlush>
      {parameters.length === 0 ? (
        <p className="parameter-none">This tool has no parameters.</p>
      ) : (
        <div className="table-scroll">
          <table className="table">
            <caption>Parameters</caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Type</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {parameters.map(({ name, type, isRequired, description }) => (
                <tr key={name}>
                  <th scope="row" className="parameter-name">
                    <PlainText isCode>{name}</PlainText>{' '}
                    {isRequired && <Badge tone="info">required</Badge>}
                  </th>
                  <td className="is-muted">
                    <PlainText isCode>{type}</PlainText>
                  </td>
                  <td>
                    <PlainText>{description}</PlainText>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

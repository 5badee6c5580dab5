import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { type Parameter, readParameters } from './read-parameters.ts'

const columns: readonly Column<Parameter>[] = [
  column('Name', 'parameter-name', ({ name, isRequired }) => (
    <>
      <PlainText isCode>{name}</PlainText> {isRequired && <Badge tone="info">required</Badge>}
    </>
  )),
  column('Type', 'is-muted', ({ type }) => <PlainText isCode>{type}</PlainText>),
  column('Description', '', ({ description }) => <PlainText>{description}</PlainText>),
]

export function ParameterTable({ schema }: { schema: unknown }): ReactNode {
  const parameters = readParameters(schema)
  return (
    <Panel title="Parameters" isFlush>
      {parameters.length === 0 ? (
        <p className="parameter-none">This tool has no parameters.</p>
      ) : (
        <Table
          caption="Parameters"
          columns={columns}
          rows={parameters}
          keyOf={({ name }) => name}
        />
      )}
    </Panel>
  )
}

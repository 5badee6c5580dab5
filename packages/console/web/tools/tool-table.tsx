import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { Bar } from '../charts/bar.tsx'
import { formatCount } from '../text/numbers.ts'
import { toolPath } from '../text/paths.ts'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { column, LongTable, sortHeaders } from '../ui/table.tsx'
import './tool-table.css'

interface ToolTableProps {
  tools: Schemas['ToolSummary'][]
  sort: string
  onSort: (sort: string) => void
}

export function ToolTable({ tools, sort, onSort }: ToolTableProps) {
  const max = tools.reduce((high, { tokens }) => Math.max(high, tokens), 1)
  const sorted = sortHeaders(sort, onSort)
  return (
    <LongTable<Schemas['ToolSummary']>
      caption="Tools with their cost"
      className="tool-table"
      rows={tools}
      rowHeight={46}
      keyOf={(tool) => `${tool.server}\n${tool.name}`}
      columns={[
        column(sorted('name', 'Tool'), 'is-clip', (tool) => (
          <>
            <Link href={toolPath(tool)}>
              <PlainText isClipped>{tool.name}</PlainText>
            </Link>
            <small>
              <PlainText isClipped>{tool.summary || 'No description.'}</PlainText>
            </small>
          </>
        )),
        column(sorted('server', 'Server'), 'is-clip is-muted', ({ server }) => (
          <PlainText isClipped>{server}</PlainText>
        )),
        column('Annotations', '', (tool) => <ToolMarks tool={tool} />),
        column(sorted('tokens', 'Tokens', true), 'is-number', ({ tokens }) => (
          <span className="tool-cost">
            <Bar share={tokens / max} />
            {formatCount(tokens)}
          </span>
        )),
      ]}
    />
  )
}

/** The annotations of a tool, and whether it can be called. */
export function ToolMarks({ tool }: { tool: Schemas['ToolSummary'] }) {
  return (
    <>
      {tool.absent && (
        <span title={tool.absent}>
          <Badge tone="warn">unavailable</Badge>
        </span>
      )}{' '}
      {tool.isDestructive && <Badge tone="bad">destructive</Badge>}{' '}
      {tool.isReadOnly && <Badge tone="still">read-only</Badge>}
    </>
  )
}

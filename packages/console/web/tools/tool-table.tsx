import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { Bar } from '../charts/bar.tsx'
import { formatCount } from '../text/numbers.ts'
import { toolPath } from '../text/paths.ts'
import { Badge } from '../ui/badge.tsx'
import { LongTable } from '../ui/long-table.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { SortHeader } from '../ui/sort-header.tsx'
import './tool-table.css'

interface ToolTableProps {
  tools: Schemas['ToolSummary'][]
  sort: string
  onSort: (sort: string) => void
}

export function ToolTable({ tools, sort, onSort }: ToolTableProps): ReactNode {
  const max = tools.reduce((high, { tokens }) => Math.max(high, tokens), 1)
  return (
    <LongTable
      caption="Tools with their cost"
      className="tool-table"
      rows={tools}
      columns={4}
      rowHeight={46}
      keyOf={(tool) => `${tool.server}\n${tool.name}`}
      head={
        <>
          <SortHeader column="name" sort={sort} onSort={onSort}>
            Tool
          </SortHeader>
          <SortHeader column="server" sort={sort} onSort={onSort}>
            Server
          </SortHeader>
          <th scope="col">Annotations</th>
          <SortHeader column="tokens" sort={sort} onSort={onSort} isNumber>
            Tokens
          </SortHeader>
        </>
      }
    >
      {(tool) => (
        <>
          <th scope="row" className="is-clip">
            <Link href={toolPath(tool)}>
              <PlainText isClipped>{tool.name}</PlainText>
            </Link>
            <small>
              <PlainText isClipped>{tool.summary || 'No description.'}</PlainText>
            </small>
          </th>
          <td className="is-clip is-muted">
            <PlainText isClipped>{tool.server}</PlainText>
          </td>
          <td>
            <ToolMarks tool={tool} />
          </td>
          <td className="is-number">
            <span className="tool-cost">
              <Bar share={tool.tokens / max} />
              {formatCount(tool.tokens)}
            </span>
          </td>
        </>
      )}
    </LongTable>
  )
}

/** The annotations of a tool, and whether it can be called. */
export function ToolMarks({ tool }: { tool: Schemas['ToolSummary'] }): ReactNode {
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

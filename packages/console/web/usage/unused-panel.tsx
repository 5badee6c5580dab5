import { Link } from 'wouter'
import { useTools, useUsage } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { countOf, formatCount } from '../text/numbers.ts'
import { toolPath } from '../text/paths.ts'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import type { Period } from './period.tsx'

const columns: readonly Column<Schemas['ToolSummary']>[] = [
  column('Tool', '', (tool) => (
    <Link href={toolPath(tool)}>
      <PlainText>{`${tool.server}.${tool.name}`}</PlainText>
    </Link>
  )),
  column('Tokens', 'is-number', ({ tokens }) => formatCount(tokens)),
]

/** What costs tokens on every turn without Pith, and was not called. */
export function UnusedPanel({ period }: { period: Period }) {
  const query = useUsage({ ...period, by: 'tool', limit: 1_000 })
  const tools = useTools().data?.filter(({ absent }) => !absent) ?? []
  const groups = query.data?.groups.filter(({ usage }) => usage.calls > 0) ?? []
  const called = new Set(groups.map(({ name }) => name))
  const unused = tools
    .filter(({ server, name }) => !called.has(`${server}.${name}`))
    .sort((a, b) => b.tokens - a.tokens)
  const tokens = unused.reduce((sum, tool) => sum + tool.tokens, 0)
  return (
    <Panel
      title="Tools without a call"
      aside={`${formatCount(unused.length)} of ${countOf(tools.length, 'tool')}, ${countOf(tokens, 'token')}`}
      isFlush
    >
      <Answered query={query} lines={6}>
        {({ others: restCount }) => (
          <div className="usage-unused">
            {unused.length === 0 && (
              <Empty title="Every tool was called">
                Tools that no client calls are listed here.
              </Empty>
            )}
            <Table
              caption="Tools without a call in this period"
              columns={columns}
              rows={unused}
              keyOf={({ server, name }) => `${server} ${name}`}
            />
            {(restCount > 0 || called.has('(more)')) && (
              <p className="usage-others">
                So many tools were called that some of these may have been.
              </p>
            )}
          </div>
        )}
      </Answered>
    </Panel>
  )
}

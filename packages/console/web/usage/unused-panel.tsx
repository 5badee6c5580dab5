import { Link } from 'wouter'
import { useUnused } from '../api/hooks.ts'
import { countOf, formatCount } from '../text/numbers.ts'
import { serverPath, toolPath } from '../text/paths.ts'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import type { Period } from './period.tsx'

type Tool = NonNullable<ReturnType<typeof useUnused>['data']>['tools'][number]

const columns: readonly Column<Tool>[] = [
  column('Tool', 'is-clip', (tool) => (
    <Link href={toolPath(tool)}>
      <PlainText isClipped>{tool.name}</PlainText>
    </Link>
  )),
  column('Server', 'is-clip', ({ server }) => (
    <Link href={serverPath(server)}>
      <PlainText isClipped>{server}</PlainText>
    </Link>
  )),
  column('Tokens', 'is-number', ({ tokens }) => formatCount(tokens)),
]

/** What costs a client tokens, without Pith, and was not called. */
export function UnusedPanel({ period }: { period: Period }) {
  const query = useUnused(period)
  return (
    <Panel
      title="Tools without a call"
      aside={
        query.data &&
        `${formatCount(query.data.tools.length + query.data.others)} of ${countOf(query.data.known, 'tool')}, ${countOf(query.data.tokens, 'token')}`
      }
      isFlush
    >
      <Answered query={query} lines={6}>
        {({ tools, others, isUnsure }) =>
          tools.length === 0 ? (
            <Empty title="Every tool was called">
              Tools that no client calls in the period are listed here with their cost.
            </Empty>
          ) : (
            <div className="usage-unused">
              <Table
                caption="Tools without a call in this period"
                className="is-cards"
                columns={columns}
                rows={tools}
                keyOf={({ server, name }) => `${server} ${name}`}
              />
              {(others > 0 || isUnsure) && (
                <p className="usage-others">
                  {others > 0 && `and ${countOf(others, 'more', 'more')} with fewer tokens. `}
                  {isUnsure && 'So many tools were called that some of these may have been.'}
                </p>
              )}
            </div>
          )
        }
      </Answered>
    </Panel>
  )
}

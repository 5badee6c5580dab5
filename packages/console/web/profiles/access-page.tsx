import { Link } from 'wouter'
import { useAccess } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { useConsole } from '../api/use-console.ts'
import { countOf, formatCount } from '../text/numbers.ts'
import { toolPath } from '../text/paths.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Answered, Empty, Page, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, LongTable } from '../ui/table.tsx'

type Access = Schemas['Access']

/** What a caller or a profile can call, and why it cannot call the rest. */
export function AccessPage() {
  const { session } = useConsole()
  const [values] = useQueryValues(['caller', 'profile'])
  const query = useAccess(values)
  const subject = values.caller ?? values.profile ?? 'Everyone'
  return (
    <Page
      title={`${subject}: access`}
      heading={<PlainText>{`${subject}: access`}</PlainText>}
      intro="The tools that it can call, what their list costs, and the tools that it cannot call, with the reason."
    >
      <Answered query={query} lines={10} link={<Link href="/profiles">All profiles</Link>}>
        {({ profile, tools, missing, unknown, listTokens }) => (
          <>
            <p>
              Profile: <PlainText>{profile ?? 'none, which is everything'}</PlainText>. The list
              costs {countOf(listTokens[session.mode], 'token')} on every turn.
              {unknown.length > 0 && (
                <>
                  {' '}
                  Not known yet: the tools of <PlainText>{unknown.join(', ')}</PlainText>.
                </>
              )}
            </p>
            <Panel title={`${countOf(tools.length, 'tool')} it can call`} isFlush>
              {tools.length === 0 ? (
                <Empty title="No tools">
                  {missing.length > 0
                    ? 'It can call no tool. The reasons are below.'
                    : 'Servers list their tools when they first start.'}
                </Empty>
              ) : (
                <LongTable
                  caption="Tools it can call"
                  columns={columns}
                  rows={tools}
                  keyOf={keyOf}
                />
              )}
            </Panel>
            <Panel title={`${countOf(missing.length, 'tool')} it cannot call`} isFlush>
              {missing.length === 0 ? (
                <Empty title="No tool is missing">Every tool that is known is listed above.</Empty>
              ) : (
                <LongTable
                  caption="Tools it cannot call"
                  columns={missingColumns}
                  rows={missing}
                  keyOf={keyOf}
                />
              )}
            </Panel>
          </>
        )}
      </Answered>
    </Page>
  )
}

const keyOf = ({ server, name }: { server: string; name: string }, index: number): string =>
  `${server} ${name} ${index}`

const columns: readonly Column<Access['tools'][number]>[] = [
  column('Tool', 'is-clip', ({ server, name }) => (
    <Link href={toolPath({ server, name })}>
      <PlainText isClipped>{name}</PlainText>
    </Link>
  )),
  column('Server', 'is-clip is-muted', ({ server }) => <PlainText isClipped>{server}</PlainText>),
  column('Tokens', 'is-number', ({ tokens }) => formatCount(tokens)),
]

const missingColumns: readonly Column<Access['missing'][number]>[] = [
  column('Tool', 'is-clip', ({ name }) => <PlainText isClipped>{name}</PlainText>),
  column('Server', 'is-clip is-muted', ({ server }) => <PlainText isClipped>{server}</PlainText>),
  column('Why', 'is-clip', ({ reason }) => <PlainText isClipped>{reason}</PlainText>),
]

import { Link } from 'wouter'
import type { Schemas } from '../api/schemas.ts'
import { formatCount, formatTokens } from '../text/numbers.ts'
import { serverPath } from '../text/paths.ts'
import { Badge, Dot, PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { ServerActions } from './server-actions.tsx'
import { serverStates } from './server-states.ts'
import './server-table.css'

type ServerColumn = Column<Schemas['Server']>

export const stateColumn: ServerColumn = column('State', 'is-narrow is-plain', ({ state }) => (
  <Dot tone={serverStates[state][0]}>{serverStates[state][1]}</Dot>
))

export const launchColumn: ServerColumn = column(
  'Command or URL',
  'is-clip is-muted is-minor',
  ({ launch }) => (
    <PlainText isClipped isCode>
      {launch}
    </PlainText>
  ),
)

const columns: readonly ServerColumn[] = [
  column('Server', 'is-clip server-name', ({ unit, description }) => (
    <>
      <Link href={serverPath(unit)}>
        <PlainText isClipped>{unit}</PlainText>
      </Link>
      {description && (
        <small>
          <PlainText isClipped>{description}</PlainText>
        </small>
      )}
    </>
  )),
  stateColumn,
  launchColumn,
  column('Tools', 'is-number', ({ isKnown, tools, heldTools }) => (
    <>
      {isKnown ? formatCount(tools) : '–'}{' '}
      {heldTools > 0 && <Badge tone="warn">{heldTools} held</Badge>}
    </>
  )),
  column(
    <th scope="col" className="is-number">
      <abbr title="What its definitions would cost a client on every turn without Pith">
        Tokens
      </abbr>
    </th>,
    'is-number',
    ({ isKnown, tokens }) => (isKnown ? formatTokens(tokens) : '–'),
  ),
  column('Calls', 'is-number', ({ calls }) => formatCount(calls)),
  column('Actions', 'is-narrow is-plain', (server) => <ServerActions server={server} />),
]

export function ServerTable({ servers }: { servers: Schemas['Server'][] }) {
  return (
    <Table
      caption="Servers with their state, cost and calls"
      className="server-table has-short-cards"
      columns={columns}
      rows={servers}
      keyOf={({ unit }) => unit}
    />
  )
}

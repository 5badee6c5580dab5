import { useState } from 'react'
import { useServers } from '../api/hooks.ts'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Answered } from '../ui/answered.tsx'
import { WriteButton } from '../ui/button.tsx'
import { SearchField } from '../ui/fields.tsx'
import { Empty, Page, Panel } from '../ui/page.tsx'
import { AddServerDialog } from './add-server-dialog.tsx'
import { ServerTable } from './server-table.tsx'

export function ServersPage() {
  const query = useServers()
  const [{ q = '' }, setQuery] = useQueryValues(['q'])
  const [isAdding, setAdding] = useState(false)
  const words = q.toLowerCase()
  const shown = query.data?.filter((server) =>
    [server.unit, server.launch, server.description ?? '', server.state, ...server.tags]
      .join('\n')
      .toLowerCase()
      .includes(words),
  )
  return (
    <Page
      title="Servers"
      intro="The servers behind this endpoint. A server starts when one of its tools is first called."
      actions={
        <WriteButton kind="main" onClick={() => setAdding(true)}>
          Add server
        </WriteButton>
      }
    >
      <div className="toolbar">
        <SearchField
          label="Filter"
          placeholder="Name, command, tag or state"
          value={q}
          onChange={(text) => setQuery({ q: text })}
        />
      </div>
      <Panel title={shown ? countOf(shown.length, 'server') : 'Servers'} isFlush>
        <Answered query={query} lines={9}>
          {(servers) =>
            servers.length === 0 ? (
              <Empty title="No servers yet" command="aggregator-mcp import">
                Click Add server, or import the servers of your clients:
              </Empty>
            ) : shown?.length === 0 ? (
              <Empty title={`No server matches “${spellOddCharacters(q)}”.`}>
                Try fewer letters.
              </Empty>
            ) : (
              <ServerTable servers={shown ?? []} />
            )
          }
        </Answered>
      </Panel>
      {isAdding && <AddServerDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

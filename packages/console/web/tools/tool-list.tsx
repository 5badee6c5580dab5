import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { useTools } from '../api/use-answers.ts'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { Panel } from '../ui/panel.tsx'
import { ServerField } from '../ui/server-field.tsx'
import { SearchField } from '../ui/text-field.tsx'
import { selectTools } from './select-tools.ts'
import { ToolTable } from './tool-table.tsx'

/** What is listed, as query parameters of the page. */
interface Values {
  q?: string
  server?: string
  sort?: string
  profile?: string
}

interface ToolListProps {
  values: Values
  onChange: (change: Values) => void
}

/** The tools of all servers or of a profile, to filter and to sort. */
export function ToolList({ values, onChange }: ToolListProps): ReactNode {
  const { q = '', server = '', sort = '-tokens', profile } = values
  const query = useTools(profile ? { profile } : {})
  const shown = useMemo(
    () => selectTools(query.data ?? [], { text: q, server, sort }),
    [query.data, q, server, sort],
  )
  const tokens = shown.reduce((sum, tool) => sum + tool.tokens, 0)
  return (
    <>
      <div className="toolbar">
        <SearchField
          label="Filter"
          placeholder="Name or summary"
          value={q}
          onChange={(text) => onChange({ q: text })}
        />
        <ServerField value={server} onChange={(name) => onChange({ server: name })} />
      </div>
      <Panel
        title={query.data ? countOf(shown.length, 'tool') : 'Tools'}
        aside={query.data && `${countOf(tokens, 'token')}, if a client loaded them all`}
        isFlush
      >
        <Answered query={query} lines={12} link={<Link href="/tools">All tools</Link>}>
          {(tools) =>
            tools.length === 0 ? (
              <Empty title="No tools are known yet" command="aggregator-mcp tools">
                Servers list their tools when they first start. Start one on the Servers page, or
                start all of them:
              </Empty>
            ) : shown.length === 0 ? (
              <Empty title={q ? `No tool matches “${spellOddCharacters(q)}”.` : 'No tools match.'}>
                Try fewer letters, or another server.
              </Empty>
            ) : (
              <ToolTable tools={shown} sort={sort} onSort={(next) => onChange({ sort: next })} />
            )
          }
        </Answered>
      </Panel>
    </>
  )
}

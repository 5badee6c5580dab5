import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/create-api.ts'
import { useServers, useTools } from '../api/use-answers.ts'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Answered } from '../ui/answered.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { ModelSearch } from './model-search.tsx'
import { ToolTable } from './tool-table.tsx'

export function ToolsPage(): ReactNode {
  const [values, set] = useQueryValues(['q', 'server', 'sort', 'as', 'profile'])
  const { q = '', server = '', sort = '-tokens', as = 'list', profile } = values
  const query = useTools(profile ? { profile } : {})
  const servers = useServers().data ?? []
  const names = [...new Set(servers.map(({ name }) => name))]
  const shown = useMemo(() => {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean)
    const matching = (query.data ?? []).filter((tool) => {
      if (server && tool.server !== server) return false
      const text = `${tool.server} ${tool.name} ${tool.title ?? ''} ${tool.summary}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    return sortTools(matching, sort)
  }, [query.data, q, server, sort])
  const tokens = shown.reduce((sum, tool) => sum + tool.tokens, 0)

  return (
    <Page
      title="Tools"
      intro={
        profile
          ? `The tools that the profile ${profile} exposes.`
          : 'The tools of all servers, and what each definition costs.'
      }
      actions={
        <Segmented
          label="View"
          value={as}
          options={[
            ['list', 'List'],
            ['model', 'Search as a model'],
          ]}
          onChange={(chosen) => set({ as: chosen === 'list' ? '' : chosen })}
        />
      }
    >
      {as === 'model' ? (
        <ModelSearch />
      ) : (
        <>
          <div className="toolbar">
            <Field label="Filter" isWide>
              {(id) => (
                <input
                  id={id}
                  type="search"
                  placeholder="Name or summary"
                  value={q}
                  onChange={(event) => set({ q: event.target.value })}
                />
              )}
            </Field>
            <Field label="Server">
              {(id) => (
                <select
                  id={id}
                  value={server}
                  onChange={(event) => set({ server: event.target.value })}
                >
                  <option value="">All</option>
                  {[...new Set([...names, ...(server ? [server] : [])])].map((name) => (
                    <option key={name} value={name}>
                      {spellOddCharacters(name)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
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
                    Servers list their tools when they first start. Start one on the Servers page,
                    or start all of them:
                  </Empty>
                ) : shown.length === 0 ? (
                  <Empty
                    title={q ? `No tool matches “${spellOddCharacters(q)}”.` : 'No tools match.'}
                  >
                    Try fewer letters, or another server.
                  </Empty>
                ) : (
                  <ToolTable tools={shown} sort={sort} onSort={(next) => set({ sort: next })} />
                )
              }
            </Answered>
          </Panel>
        </>
      )}
    </Page>
  )
}

type Tool = Schemas['ToolSummary']

const order: Record<string, (a: Tool, b: Tool) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  server: (a, b) => a.server.localeCompare(b.server) || a.name.localeCompare(b.name),
  tokens: (a, b) => a.tokens - b.tokens,
}

/** Sorts by a column; "-" before its name means descending. */
function sortTools(tools: readonly Tool[], sort: string): Tool[] {
  const isDescending = sort.startsWith('-')
  const compare = order[isDescending ? sort.slice(1) : sort] ?? order['name']
  const sorted = [...tools].sort(compare)
  return isDescending ? sorted.reverse() : sorted
}

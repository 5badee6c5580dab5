import { type FormEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useAct, useTools } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Button } from '../ui/button.tsx'
import { SearchField, Segmented, ServerField } from '../ui/fields.tsx'
import { Answered, CodeBlock, Empty, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { sortedBy } from '../ui/table.tsx'
import { ToolTable } from './tool-table.tsx'

export function ToolsPage() {
  const [values, set] = useQueryValues(['q', 'server', 'sort', 'as', 'profile'])
  const { as = 'list', profile } = values
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
          onChange={(choice) => set({ as: choice === 'list' ? '' : choice })}
        />
      }
    >
      {as === 'model' ? <ModelSearch /> : <ToolList values={values} onChange={set} />}
    </Page>
  )
}

/** What is listed, as query parameters of the page. */
interface Values {
  q?: string
  server?: string
  sort?: string
  profile?: string
}

/** The tools of all servers or of a profile, to filter and to sort. */
function ToolList({ values, onChange }: { values: Values; onChange: (change: Values) => void }) {
  const { q = '', server = '', sort = '-tokens', profile } = values
  const query = useTools(profile ? { profile } : {})
  const rows = useMemo(
    () => selectTools(query.data ?? [], q, server, sort),
    [query.data, q, server, sort],
  )
  const tokens = rows.reduce((sum, tool) => sum + tool.tokens, 0)
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
        title={query.data ? countOf(rows.length, 'tool') : 'Tools'}
        aside={query.data && `${countOf(tokens, 'token')}, if a client loaded them all`}
        isFlush
      >
        <Answered query={query} lines={12} link={<Link href="/tools">All tools</Link>}>
          {(tools) =>
            tools.length === 0 ? (
              <Empty title="No tools yet" command="aggregator-mcp tools">
                Servers list their tools when they first start. Start one on the Servers page, or
                start all of them:
              </Empty>
            ) : rows.length === 0 ? (
              <Empty title={q ? `No tool matches “${spellOddCharacters(q)}”.` : 'No tools match.'}>
                Try fewer letters, or another server.
              </Empty>
            ) : (
              <ToolTable tools={rows} sort={sort} onSort={(next) => onChange({ sort: next })} />
            )
          }
        </Answered>
      </Panel>
    </>
  )
}

type Tool = Schemas['ToolSummary']

/**
 * The tools of a server, or of all if its name is empty, that contain all words of a text; sorted by a
 * column: "-" before its name means descending.
 */
function selectTools(tools: readonly Tool[], text: string, server: string, sort: string): Tool[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = tools.filter((tool) => {
    if (server && tool.server !== server) return false
    const haystack = `${tool.server} ${tool.name} ${tool.title ?? ''} ${tool.summary}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
  return sortedBy(matching, sort, order)
}

const order: Record<string, (a: Tool, b: Tool) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  server: (a, b) => a.server.localeCompare(b.server) || a.name.localeCompare(b.name),
  tokens: (a, b) => a.tokens - b.tokens,
}

/** Calls search_tools as a model does, and shows the exact reply. */
function ModelSearch() {
  const [text, setText] = useState('')
  const search = useAct({
    send: (api, query: string) => api.POST('/api/v1/tools/search', { body: { query } }),
    invalidates: [],
    isQuiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) search.mutate(text.trim())
  }
  return (
    <>
      <form className="toolbar" onSubmit={submit}>
        <SearchField
          label="Query for search_tools"
          placeholder="create an issue"
          maxLength={2_000}
          value={text}
          onChange={setText}
        />
        <Button type="submit" kind="main" isBusy={search.isPending}>
          Search
        </Button>
      </form>
      <Panel title="Reply to the model" aside={search.data && countOf(search.data.tokens, 'token')}>
        <div aria-live="polite">
          {search.error && <ProblemNote error={search.error} />}
          {search.data ? (
            <CodeBlock label="Reply of search_tools" isTall>
              {search.data.text}
            </CodeBlock>
          ) : (
            <Empty title="No search yet">
              Describe a task, in any language. Models get exactly the reply that is shown here.
            </Empty>
          )}
        </div>
      </Panel>
    </>
  )
}

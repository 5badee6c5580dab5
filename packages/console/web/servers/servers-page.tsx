import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { isRisk, useAct, useServers } from '../api/hooks.ts'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField, Field, SearchField, Segmented, TextField } from '../ui/fields.tsx'
import { Answered, Empty, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { type EntryDraft, type ReadEntry, readEntry } from './read-entry.ts'
import { ServerTable } from './server-table.tsx'

export function ServersPage() {
  const query = useServers()
  const [{ q = '' }, setQuery] = useQueryValues(['q'])
  const [isAdding, setAdding] = useState(false)
  const words = q.toLowerCase()
  const rows = query.data?.filter((server) =>
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
        <>
          <Link className="button" href="/registry">
            From the registry
          </Link>
          <WriteButton kind="main" isAdmin onClick={() => setAdding(true)}>
            Add server
          </WriteButton>
        </>
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
      <Panel title={rows ? countOf(rows.length, 'server') : 'Servers'} isFlush>
        <Answered query={query} lines={9}>
          {(servers) =>
            servers.length === 0 ? (
              <Empty title="No servers yet" command="aggregator-mcp import">
                Click Add server, find one in the registry, or import the servers of your clients:
              </Empty>
            ) : rows?.length === 0 ? (
              <Empty title={`No server matches “${spellOddCharacters(q)}”.`}>
                Try fewer letters.
              </Empty>
            ) : (
              <ServerTable servers={rows ?? []} />
            )
          }
        </Answered>
      </Panel>
      {isAdding && <AddServerDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

const empty: EntryDraft = {
  type: 'command',
  name: '',
  command: '',
  env: '',
  url: '',
  headers: '',
  json: '',
}

function AddServerDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(empty)
  const [replace, setReplace] = useState(false)
  const [acceptsRisks, setAccepts] = useState(false)
  const set = (change: Partial<EntryDraft>) => setDraft({ ...draft, ...change })
  const [problem, setProblem] = useState<Error>()
  const adding = useAct({
    async send(api, [first, ...rest]: readonly [ReadEntry, ...ReadEntry[]]) {
      const post = (entry: ReadEntry) =>
        api.POST('/api/v1/servers', {
          body: { ...entry, acceptsRisks, ...(replace && { replace }) },
        })
      let reply = await post(first)
      for (const entry of rest) if (reply.response.ok) reply = await post(entry)
      return reply
    },
    invalidates: ['servers', 'receipt', 'tools'],
    successText: (_, entries) =>
      entries.length === 1
        ? `${entries[0].name} added.`
        : `${countOf(entries.length, 'server')} added.`,
    onDone: onClose,
    isQuiet: true,
  })
  const error = problem ?? adding.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setProblem(undefined)
    try {
      const [first, ...rest] = readEntry(draft)
      if (first) adding.mutate([first, ...rest])
    } catch (cause) {
      setProblem(cause as Error)
    }
  }
  const isJson = draft.type === 'json'
  return (
    <Dialog title="Add a server" onClose={onClose} isWide>
      <form onSubmit={submit} className="dialog-form">
        <Segmented
          label="Connection"
          value={draft.type}
          options={[
            ['command', 'Command'],
            ['url', 'URL'],
            ['json', 'JSON'],
          ]}
          onChange={(type) => set({ type })}
        />
        <TextField
          label="Name"
          hint={isJson ? 'Only for an entry without a name.' : 'Letters, digits, - and _.'}
          maxLength={64}
          required={!isJson}
          value={draft.name}
          onChange={(name) => set({ name })}
        />
        <EntryFields draft={draft} set={set} />
        <CheckField isChecked={replace} onChange={setReplace}>
          Replace a server of the same name
        </CheckField>
        {error && <ProblemNote error={error} />}
        {(acceptsRisks || isRisk(error)) && (
          <CheckField isChecked={acceptsRisks} onChange={setAccepts}>
            I accept this
          </CheckField>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <WriteButton type="submit" kind="main" isBusy={adding.isPending}>
            Add
          </WriteButton>
        </div>
      </form>
    </Dialog>
  )
}

interface EntryFieldsProps {
  draft: EntryDraft
  set: (change: Partial<EntryDraft>) => void
}

interface Control {
  of: 'command' | 'env' | 'url' | 'headers' | 'json'
  label: string
  hint?: string
  placeholder: string
  rows?: number
}

const controls: Record<EntryDraft['type'], readonly Control[]> = {
  command: [
    {
      of: 'command',
      label: 'Command',
      hint: 'As in a shell, but nothing is expanded.',
      placeholder: 'npx -y @modelcontextprotocol/server-filesystem /srv/files',
    },
    {
      of: 'env',
      label: 'Environment',
      hint: 'One per line. Write ${NAME} for secrets, to keep the value out of the configuration.',
      placeholder: 'GITHUB_TOKEN=${GITHUB_TOKEN}',
      rows: 3,
    },
  ],
  url: [
    { of: 'url', label: 'URL', placeholder: 'https://mcp.example.com/mcp' },
    {
      of: 'headers',
      label: 'Headers',
      hint: 'One per line. Servers with a sign-in need none.',
      placeholder: 'Authorization: Bearer ${EXAMPLE_TOKEN}',
      rows: 3,
    },
  ],
  json: [
    {
      of: 'json',
      label: 'JSON',
      hint: 'As in client configurations: {"mcpServers": {…}}, or one entry.',
      placeholder:
        '{ "mcpServers": { "time": { "command": "uvx", "args": ["mcp-server-time"] } } }',
      rows: 10,
    },
  ],
}

function EntryFields({ draft, set }: EntryFieldsProps) {
  return controls[draft.type].map(({ of, label, hint, placeholder, rows }) => (
    <Field key={of} label={label} hint={hint}>
      {(id, hintId) => {
        const common = {
          id,
          'aria-describedby': hintId,
          className: 'is-mono',
          placeholder,
          spellCheck: false,
          required: of === draft.type,
          value: draft[of],
        }
        return rows ? (
          <textarea
            {...common}
            rows={rows}
            onChange={(event) => set({ [of]: event.target.value })}
          />
        ) : (
          <input
            {...common}
            autoComplete="off"
            onChange={(event) => set({ [of]: event.target.value })}
          />
        )
      }}
    </Field>
  ))
}

import { type FormEvent, useState } from 'react'
import { useRegistry } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { CheckField, SearchField } from '../ui/fields.tsx'
import { Answered, Empty, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { AddDialog } from './add-dialog.tsx'
import './registry.css'

type Server = Schemas['RegistryServer']

const maxLimit = 100

export function RegistryPage() {
  const [{ q = '', deprecated, limit = '20' }, setQuery] = useQueryValues([
    'q',
    'deprecated',
    'limit',
  ])
  const [text, setText] = useState(q)
  const [server, setServer] = useState<Server>()
  const query = useRegistry({
    search: q,
    limit: Number(limit),
    ...(deprecated && { deprecated: 'true' }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setQuery({ q: text.trim(), limit: '' })
  }
  return (
    <Page title="Registry" intro="Find MCP servers, and add them to the configuration.">
      <form className="toolbar registry-toolbar" onSubmit={submit}>
        <SearchField
          label="Search"
          placeholder="Part of a name or description"
          maxLength={200}
          value={text}
          onChange={setText}
        />
        <Button type="submit" kind="main" isBusy={query.isFetching}>
          Search
        </Button>
        <CheckField
          isChecked={deprecated !== undefined}
          onChange={(isChecked) => setQuery({ deprecated: isChecked ? 'true' : '' })}
        >
          Also deprecated servers
        </CheckField>
      </form>
      <Panel title={q ? `Servers that match “${q}”` : 'Built-in servers'} isFlush>
        <Answered query={query} lines={9}>
          {(answer) => (
            <>
              <ul className="registry-hits">
                {answer.servers.map((hit) => (
                  <Hit key={hit.name} hit={hit} onAdd={() => setServer(hit)} />
                ))}
              </ul>
              {answer.problem !== undefined && (
                <ProblemNote error={new Error(answer.problem)} onRetry={query.refetch} />
              )}
              {answer.problem === undefined && answer.servers.length === 0 && (
                <Empty title="No server matches">Search for one word, or fewer letters.</Empty>
              )}
              <p className="registry-notes">
                {notesOf(answer, q).map((note) => (
                  <PlainText key={note}>{note}</PlainText>
                ))}
                {answer.hasMore && Number(limit) < maxLimit && (
                  <Button
                    isBusy={query.isFetching}
                    onClick={() =>
                      setQuery({ limit: String(Math.min(maxLimit, Number(limit) + 20)) })
                    }
                  >
                    Show more
                  </Button>
                )}
              </p>
            </>
          )}
        </Answered>
      </Panel>
      {server && <AddDialog server={server} onClose={() => setServer(undefined)} />}
    </Page>
  )
}

/** What is not listed, and why. */
function notesOf(
  { registry, hidden, unread, hasMore, servers }: Schemas['RegistrySearch'],
  q: string,
): string[] {
  return [
    q === '' ? `Enter a word to search ${registry}.` : '',
    hidden > 0 ? `${countOf(hidden, 'deprecated server')} left out.` : '',
    unread > 0 ? `${unread} entries of the registry are not valid and left out.` : '',
    hasMore && servers.length >= maxLimit ? 'There are more: add a word to narrow the search.' : '',
  ].filter(Boolean)
}

function Hit({ hit, onAdd }: { hit: Server; onAdd: () => void }) {
  const { name, title, description, version, isBuiltIn, status, statusMessage = '' } = hit
  const kinds = new Set(hit.choices.map(({ kind, type }) => (kind === 'remote' ? kind : type)))
  return (
    <li>
      <div>
        <h3>
          <PlainText>{title ?? name}</PlainText>
        </h3>
        <PlainText isCode>{`${title ? `${name} ` : ''}${version}`}</PlainText>
        <p>
          <PlainText>{description}</PlainText>
        </p>
        <div className="button-row">
          {isBuiltIn && <Badge tone="ok">built in</Badge>}
          {status !== 'active' && (
            <Badge tone="warn">
              {spellOddCharacters(`${status}${statusMessage && `: ${statusMessage}`}`)}
            </Badge>
          )}
          {[...kinds].map((kind) => (
            <Badge key={kind} tone="info">
              {spellOddCharacters(kind)}
            </Badge>
          ))}
        </div>
      </div>
      <WriteButton isAdmin aria-label={`Add ${name}`} onClick={onAdd}>
        Add
      </WriteButton>
    </li>
  )
}

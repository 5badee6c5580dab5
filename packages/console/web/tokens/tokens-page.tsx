import { type FormEvent, useState } from 'react'
import { useAct, useProfiles, useTokens } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { useConsole } from '../api/use-console.ts'
import { countOf } from '../text/numbers.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { ConfirmButton, Dialog } from '../ui/dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../ui/fields.tsx'
import { Answered, CodeBlock, Empty, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { allScopes, clientSnippets, expiries, overlaps, type Scope } from './token-choices.ts'

export function TokensPage() {
  const query = useTokens()
  const [isCreating, setCreating] = useState(false)
  const [replaced, setReplaced] = useState<Token>()
  const [created, setCreated] = useState<Schemas['CreatedToken']>()
  return (
    <Page
      title="Access tokens"
      intro="Access tokens for clients and for this console. Only their hashes are stored."
      actions={
        <WriteButton kind="main" isAdmin onClick={() => setCreating(true)}>
          Create token
        </WriteButton>
      }
    >
      <Panel title="Tokens" isFlush>
        <Answered query={query} lines={6}>
          {(tokens) =>
            tokens.length === 0 ? (
              <Empty title="No tokens yet" command="aggregator-mcp token create NAME">
                This machine needs none. For other machines, create one here or on the command line:
              </Empty>
            ) : (
              <TokenTables tokens={tokens} onReplace={setReplaced} />
            )
          }
        </Answered>
      </Panel>
      {isCreating && (
        <NewTokenDialog
          onClose={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false)
            setCreated(token)
          }}
        />
      )}
      {replaced && (
        <ReplaceDialog
          token={replaced}
          onClose={() => setReplaced(undefined)}
          onCreated={(token) => {
            setReplaced(undefined)
            setCreated(token)
          }}
        />
      )}
      {created && <CopyDialog created={created} onClose={() => setCreated(undefined)} />}
    </Page>
  )
}

interface CopyDialogProps {
  created: Schemas['CreatedToken']
  onClose: () => void
}

/** The value of a token, once, with what connects a client. */
function CopyDialog({ created: { name, token, scopes, previousUntil }, onClose }: CopyDialogProps) {
  const { session } = useConsole()
  const [client, setClient] = useState('claude-code')
  const titles = Object.entries(clientSnippets).map(([key, { title }]) => [key, title] as const)
  return (
    <Dialog title="Copy the token now" onClose={onClose} isWide>
      <p>
        The token <PlainText>{name}</PlainText> is not shown again. Only its hash is stored.
        {previousUntil && (
          <>
            {' '}
            The value before is valid until <Time of={previousUntil} />.
          </>
        )}
      </p>
      <CodeBlock label="Token">{token}</CodeBlock>
      {scopes.includes('mcp') && (
        <>
          <ChoiceField label="Client" options={titles} value={client} onChange={setClient} />
          <CodeBlock label="What connects the client">
            {clientSnippets[client]?.snippet(session.mcpUrl, token) ?? ''}
          </CodeBlock>
        </>
      )}
      <div className="dialog-actions">
        <Button kind="main" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}

interface TokenTablesProps {
  tokens: readonly Token[]
  onReplace: (token: Token) => void
}

/** Tokens that count, and below them, folded, those that are over. */
function TokenTables({ tokens, onReplace }: TokenTablesProps) {
  const [valid, over] = [true, false].map((isValid) =>
    tokens.filter(({ state }) => (state === 'valid') === isValid),
  )
  const actions = column<Token>('Actions', 'is-narrow', (token) => (
    <div className="button-row">
      <WriteButton isAdmin aria-label={`Replace ${token.name}`} onClick={() => onReplace(token)}>
        Replace
      </WriteButton>
      <Revoke token={token} />
    </div>
  ))
  const table = (caption: string, rows: readonly Token[], more: readonly Column<Token>[]) => (
    <Table caption={caption} columns={[...columns, ...more]} rows={rows} keyOf={({ id }) => id} />
  )
  return (
    <>
      {table('Access tokens', valid ?? [], [actions])}
      {over && over.length > 0 && (
        <details className="panel-more">
          <summary>{countOf(over.length, 'token')} revoked or expired</summary>
          {table('Revoked and expired tokens', over, [])}
        </details>
      )}
    </>
  )
}

interface ReplaceDialogProps {
  token: Token
  onClose: () => void
  onCreated: (token: Schemas['CreatedToken']) => void
}

function ReplaceDialog({ token: { id, name }, onClose, onCreated }: ReplaceDialogProps) {
  const [overlap, setOverlap] = useState('24h')
  const rotate = useAct({
    send: (api) =>
      api.POST('/api/v1/tokens/{id}/rotate', { params: { path: { id } }, body: { overlap } }),
    invalidates: ['tokens'],
    onDone: onCreated,
    isQuiet: true,
  })
  return (
    <Dialog title={`Replace the value of ${name}?`} onClose={onClose}>
      <p>Its name, profile and scopes stay, so rules, sessions and the journal go on.</p>
      <ChoiceField
        label="The present value stays valid"
        options={overlaps}
        value={overlap}
        onChange={setOverlap}
      />
      {rotate.error && <ProblemNote error={rotate.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <WriteButton
          kind="main"
          isAdmin
          isBusy={rotate.isPending}
          onClick={() => rotate.mutate(undefined)}
        >
          Replace
        </WriteButton>
      </div>
    </Dialog>
  )
}

type Token = Schemas['AccessToken']

const tones = { valid: 'ok', expired: 'warn', revoked: 'still' } as const

const timeColumn = (head: string, timeOf: (token: Token) => string | undefined): Column<Token> =>
  column(head, 'is-narrow is-muted', (token) => {
    const time = timeOf(token)
    return time ? <Time of={time} style="relative" /> : 'never'
  })

const columns: readonly Column<Token>[] = [
  column('Name', '', ({ name }) => <PlainText>{name}</PlainText>),
  column('State', 'is-narrow', ({ state }) => <Badge tone={tones[state]}>{state}</Badge>),
  column('Scopes', '', ({ scopes }) => <code>{scopes.join(' ')}</code>),
  column('Profile', '', ({ profile }) => (profile ? <PlainText>{profile}</PlainText> : '–')),
  timeColumn('Created', ({ createdAt }) => createdAt),
  timeColumn('Last used', ({ lastUsedAt }) => lastUsedAt),
  timeColumn('Expires', ({ expiresAt }) => expiresAt),
  column('Value before', 'is-narrow is-muted', ({ previousUntil }) =>
    previousUntil && Date.parse(previousUntil) > Date.now() ? (
      <>
        valid until <Time of={previousUntil} />
      </>
    ) : (
      '–'
    ),
  ),
]

function Revoke({ token: { id, name } }: { token: Token }) {
  return (
    <ConfirmButton
      action="Revoke"
      isAdmin
      label={`Revoke ${name}`}
      title="Revoke this token?"
      send={(api) => api.DELETE('/api/v1/tokens/{id}', { params: { path: { id } } })}
      invalidates={['tokens']}
      successText={() => `Token ${name} revoked.`}
    >
      <p>
        Requests with the token <PlainText>{name}</PlainText> are rejected from now on. This cannot
        be undone.
      </p>
    </ConfirmButton>
  )
}

interface NewTokenDialogProps {
  onClose: () => void
  onCreated: (token: Schemas['CreatedToken']) => void
}

function NewTokenDialog({ onClose, onCreated }: NewTokenDialogProps) {
  const names = (useProfiles().data ?? []).flatMap(({ name }) => name ?? [])
  const profiles = [['', 'Default'] as const, ...names.map((name) => [name, name] as const)]
  const [name, setName] = useState('')
  const [profile, setProfile] = useState('')
  const [expires, setExpires] = useState('90d')
  const [scopes, setScopes] = useState<readonly Scope[]>(['mcp'])
  const create = useAct({
    send: (api, body: Schemas['NewToken']) => api.POST('/api/v1/tokens', { body }),
    invalidates: ['tokens'],
    onDone: onCreated,
    isQuiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({
      name: name.trim(),
      scopes: [...scopes],
      ...(profile && { profile }),
      ...(expires && { expires }),
    })
  }
  return (
    <Dialog title="Create an access token" onClose={onClose}>
      <form onSubmit={submit} className="dialog-form">
        <TextField
          label="Name"
          hint="Its owner or purpose. The journal shows it."
          required
          maxLength={64}
          value={name}
          onChange={setName}
        />
        <fieldset className="scope-choice">
          <legend className="field-label">Permissions</legend>
          {allScopes.map(([scope, words]) => (
            <CheckField
              key={scope}
              isChecked={scopes.includes(scope)}
              onChange={(isChecked) =>
                setScopes(isChecked ? [...scopes, scope] : scopes.filter((item) => item !== scope))
              }
            >
              <span>
                {words} <code>{scope}</code>
              </span>
            </CheckField>
          ))}
        </fieldset>
        <ChoiceField label="Profile" options={profiles} value={profile} onChange={setProfile} />
        <ChoiceField label="Expires" options={expiries} value={expires} onChange={setExpires} />
        {create.error && <ProblemNote error={create.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <WriteButton
            type="submit"
            kind="main"
            isBusy={create.isPending}
            disabledReason={scopes.length === 0 ? 'Select at least one permission.' : undefined}
          >
            Create
          </WriteButton>
        </div>
      </form>
    </Dialog>
  )
}

import { useState } from 'react'
import type { Schemas } from '../api/answer-of.ts'
import { useAct, useClients, useConnectPreview, useProfiles } from '../api/hooks.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { ConfirmButton, Dialog } from '../ui/dialog.tsx'
import { ChoiceField, TextField } from '../ui/fields.tsx'
import { Answered, CodeBlock, Empty, Facts, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { Badge, PlainText, Time, type Tone } from '../ui/plain-text.tsx'
import './clients.css'

type Client = Schemas['McpClient']

export function ClientsPage() {
  const [connecting, setConnecting] = useState<Client>()
  return (
    <Page
      title="Clients"
      intro="The MCP clients on the computer of the aggregator, in the files of the user who runs it. They may be on another computer than this browser."
    >
      <Answered query={useClients()} lines={12}>
        {({ host, reason, clients, others }) => (
          <div className="clients">
            {reason && <Empty title="No clients are listed">{reason}</Empty>}
            {[...clients]
              .sort((one, other) => rankOf(one) - rankOf(other))
              .map((client) => (
                <ClientPanel
                  key={client.name}
                  client={client}
                  host={host}
                  onConnect={() => setConnecting(client)}
                />
              ))}
            {others.length > 0 && (
              <Panel title="Other clients that were seen">
                <Facts of={others.map((other) => [other.name, <Seen key="seen" {...other} />])} />
              </Panel>
            )}
          </div>
        )}
      </Answered>
      {connecting && <ConnectDialog client={connecting} onClose={() => setConnecting(undefined)} />}
    </Page>
  )
}

const states: readonly (readonly [Tone, string])[] = [
  ['ok', 'connected'],
  ['info', 'found'],
  ['still', 'not found'],
]

/** Its place in `states`. */
const rankOf = ({ entries, isInstalled }: Client): 0 | 1 | 2 =>
  entries.length > 0 ? 0 : isInstalled ? 1 : 2

interface ClientPanelProps {
  client: Client
  host: string
  onConnect: () => void
}

function ClientPanel({ client, host, onConnect }: ClientPanelProps) {
  const { title, file, isInstalled, problem, entries } = client
  const [tone = 'still', word] = states[rankOf(client)] ?? []
  return (
    <Panel title={title} aside={<Badge tone={tone}>{word}</Badge>}>
      <div className="client">
        <Facts
          of={[
            [`On ${host}`, <PlainText key="file">{isInstalled ? file : 'No file.'}</PlainText>],
            ['Unreadable', problem && <PlainText key="problem">{problem}</PlainText>],
            ['Seen', <Seen key="seen" {...client} />],
          ]}
        />
        {entries.map((entry) => (
          <EntryView key={`${entry.file} ${entry.folder} ${entry.name}`} {...{ client, entry }} />
        ))}
        <WriteButton aria-label={`Connect ${title}`} onClick={onConnect}>
          Connect…
        </WriteButton>
      </div>
    </Panel>
  )
}

/** When a client was seen, as far as the journal of 30 days has its name. */
function Seen({ lastSeen, lastCall }: Pick<Client, 'lastSeen' | 'lastCall'>) {
  if (!lastSeen) return 'Last seen unknown.'
  return (
    <span>
      <Time of={lastSeen} style="relative" />
      {lastCall ? (
        <>
          , last call <Time of={lastCall} style="relative" />
        </>
      ) : (
        <>
          , <Badge tone="warn">connected, never called</Badge>
        </>
      )}
    </span>
  )
}

function EntryView({ client, entry }: { client: Client; entry: Schemas['ClientEntry'] }) {
  const { name, file, folder, config, profile, mode } = entry
  return (
    <section aria-label={`Entry ${name} of ${client.title}`}>
      <Facts
        of={[
          ['Entry', <PlainText key="name">{name}</PlainText>],
          ['In', file !== client.file && <PlainText key="file">{file}</PlainText>],
          ['Folder', folder && <PlainText key="folder">{folder}</PlainText>],
          ['Configuration', <PlainText key="config">{config.join(', ') || 'default'}</PlainText>],
          ['Profile', profile && <PlainText key="profile">{profile}</PlainText>],
          ['Mode', mode && <PlainText key="mode">{mode}</PlainText>],
        ]}
      />
      {!folder && (
        <ConfirmButton
          action="Disconnect"
          label={`Disconnect ${name} of ${client.title}`}
          title={`Disconnect ${client.title}?`}
          send={(api) =>
            api.DELETE('/api/v1/clients/{name}', {
              params: { path: { name: client.name }, query: { entry: name } },
            })
          }
          invalidates={['clients']}
          successText={({ text }) => text}
        >
          <p>
            The entry <PlainText>{name}</PlainText> is taken out of{' '}
            <PlainText isCode>{file}</PlainText>, with the skill and the rules that were added with
            it. The rest of the file stays.
          </p>
        </ConfirmButton>
      )}
    </section>
  )
}

const modes = [
  ['', 'Default'],
  ['meta', 'Meta-tools'],
  ['list', 'Names and summaries'],
  ['full', 'Full definitions'],
] as const

function ConnectDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const { name, title } = client
  const profiles = (useProfiles().data ?? []).flatMap((profile) => profile.name ?? [])
  const [entry, setEntry] = useState('pith')
  const [mode, setMode] = useState('')
  const [profile, setProfile] = useState('')
  const body: Schemas['ClientConnection'] = {
    entry,
    ...(mode && { mode: mode as 'meta' }),
    ...(profile && { profile }),
  }
  const preview = useConnectPreview(name, body)
  const connect = useAct({
    send: (api) => api.POST('/api/v1/clients/{name}/connect', { params: { path: { name } }, body }),
    invalidates: ['clients'],
    successText: ({ file }) => `${file} has the entry ${entry}. Restart ${title} to use it.`,
    onDone: onClose,
    isQuiet: true,
  })
  return (
    <Dialog title={`Connect ${title}`} onClose={onClose} isWide>
      <TextField label="Name of the entry" value={entry} maxLength={40} onChange={setEntry} />
      <ChoiceField label="Tools are listed as" options={modes} value={mode} onChange={setMode} />
      <ChoiceField
        label="Profile"
        options={[['', 'Default'], ...profiles.map((one) => [one, one] as const)]}
        value={profile}
        onChange={setProfile}
      />
      <Answered query={preview} lines={8}>
        {({ file, change, lines }) => (
          <CodeBlock label={change === 'there' ? `${file} has this entry` : `Added to ${file}`}>
            {`${file}\n\n${lines.join('\n')}`}
          </CodeBlock>
        )}
      </Answered>
      {connect.error && <ProblemNote error={connect.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <WriteButton
          kind="main"
          isBusy={connect.isPending}
          disabledReason={preview.error?.message}
          onClick={() => connect.mutate(undefined)}
        >
          Connect
        </WriteButton>
      </div>
    </Dialog>
  )
}

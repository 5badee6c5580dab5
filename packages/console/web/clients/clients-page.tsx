import { useState } from 'react'
import { useAct, useClients, useConnectPreview, useProfiles } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { ConfirmButton, Dialog } from '../ui/dialog.tsx'
import { Diff } from '../ui/diff.tsx'
import { ChoiceField, TextField } from '../ui/fields.tsx'
import { Answered, Facts, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { Time } from '../ui/time.tsx'
import './clients.css'

type Client = Schemas['McpClient']

const states = [
  ['connected', 'ok'],
  ['found', 'info'],
  ['not found', 'still'],
] as const

/** Its place in `states`. */
const rankOf = ({ entries, isInstalled }: Client): 0 | 1 | 2 =>
  entries.length > 0 ? 0 : isInstalled ? 1 : 2

export function ClientsPage() {
  const query = useClients()
  return (
    <Page
      title="Clients"
      intro={
        <>
          MCP clients on <PlainText>{query.data?.host ?? '…'}</PlainText>, where the aggregator
          runs, with the files of its user. This browser may be on another computer.
        </>
      }
    >
      <Answered query={query} lines={12}>
        {({ clients }) => (
          <div className="clients">
            {clients
              .toSorted((a, b) => rankOf(a) - rankOf(b))
              .map((client) => (
                <ClientPanel key={client.name} client={client} />
              ))}
          </div>
        )}
      </Answered>
    </Page>
  )
}

function ClientPanel({ client }: { client: Client }) {
  const [isConnecting, setConnecting] = useState(false)
  const { title, file, isInstalled, problem, entries, lastSeen, lastCall } = client
  const [word, tone] = states[rankOf(client)]
  const timeOf = (time: string | undefined, otherwise: string) =>
    time ? <Time of={time} style="relative" /> : <span>{otherwise}</span>
  return (
    <Panel title={title} aside={<Badge tone={tone}>{file ? word : 'seen'}</Badge>}>
      <div className="client">
        <Facts
          of={[
            ['File', file && isInstalled && <PlainText key="file">{file}</PlainText>],
            ['Unreadable', problem && <PlainText key="problem">{problem}</PlainText>],
            ['Last seen', timeOf(lastSeen, 'unknown')],
            ['Last call', lastSeen && timeOf(lastCall, 'connected, but never called')],
          ]}
        />
        {entries.map((entry) => (
          <EntryView key={`${entry.file} ${entry.name}`} client={client} entry={entry} />
        ))}
        {file && (
          <WriteButton aria-label={`Connect ${title}`} onClick={() => setConnecting(true)}>
            Connect…
          </WriteButton>
        )}
        {isConnecting && <ConnectDialog client={client} onClose={() => setConnecting(false)} />}
      </div>
    </Panel>
  )
}

function EntryView({ client, entry }: { client: Client; entry: Schemas['ClientEntry'] }) {
  const { name, file, folder, options } = entry
  const path = { name: client.name }
  return (
    <section aria-label={`Entry ${name}`}>
      <p>
        <b>
          <PlainText>{name}</PlainText>
        </b>{' '}
        <PlainText>{options.join(', ') || 'with the default configuration'}</PlainText>
        {folder && <PlainText>{`, in ${folder} only`}</PlainText>}
      </p>
      {!folder && (
        <ConfirmButton
          action="Disconnect"
          label={`Disconnect ${name} from ${client.title}`}
          title={`Disconnect ${client.title}?`}
          send={(api) =>
            api.DELETE('/api/v1/clients/{name}', { params: { path, query: { entry: name } } })
          }
          invalidates={['clients']}
          successText={({ text }) => text}
        >
          <p>
            The entry <PlainText>{name}</PlainText> is taken out of <PlainText>{file}</PlainText>,
            with the skill and the rules that were added with it. The rest of the file stays.
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
  const path = { name: client.name }
  const names = (useProfiles().data ?? []).flatMap(({ name }) => name ?? [])
  const profiles = [['', 'Default'] as const, ...names.map((name) => [name, name] as const)]
  const [entry, setEntry] = useState('pith')
  const [mode, setMode] = useState('')
  const [profile, setProfile] = useState('')
  const body = { entry, ...(mode && { mode: mode as 'meta' }), ...(profile && { profile }) }
  const preview = useConnectPreview(client.name, body)
  const connect = useAct({
    send: (api) => api.POST('/api/v1/clients/{name}/connect', { params: { path }, body }),
    invalidates: ['clients'],
    successText: ({ file }) => `${file} has the entry ${entry}. Restart ${client.title} to use it.`,
    onDone: onClose,
    isQuiet: true,
  })
  return (
    <Dialog title={`Connect ${client.title}`} onClose={onClose} isWide>
      <TextField label="Name of the entry" value={entry} maxLength={40} onChange={setEntry} />
      <ChoiceField label="Tools are listed as" options={modes} value={mode} onChange={setMode} />
      <ChoiceField label="Profile" options={profiles} value={profile} onChange={setProfile} />
      <Answered query={preview} lines={8}>
        {({ file, change, lines }) => (
          <Diff
            label="Change of the file"
            lines={change === 'there' ? [`${file} has this entry.`] : [file, ...lines]}
          />
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

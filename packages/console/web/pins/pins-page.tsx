import { useId, useState } from 'react'
import type { Schemas } from '../api/answer-of.ts'
import { useAct, useConsole, usePins } from '../api/hooks.ts'
import { countOf, formatCount } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { CheckField } from '../ui/fields.tsx'
import { Answered, CodeBlock, Empty, Page, Panel } from '../ui/page.tsx'
import { Badge, PlainText, Time } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import './pins.css'

export function PinsPage() {
  const query = usePins()
  const [{ server }, set] = useQueryValues(['server'])
  return (
    <Page
      title="Pins"
      intro="Definitions are pinned when they are first seen or approved. A tool that is new or changes is held until someone approves it."
    >
      <Answered query={query} lines={10}>
        {(servers) => {
          const queue = servers
            .filter((entry) => entry.waiting.length > 0)
            .sort((a, b) => Number(b.server === server) - Number(a.server === server))
          const isPinned = servers.some((entry) => !server || entry.server === server)
          const panels = server ? queue.filter((entry) => entry.server === server) : queue
          return (
            <>
              {server && queue.length > panels.length && (
                <p>
                  Only <PlainText>{server}</PlainText> is shown.{' '}
                  <button type="button" className="link-button" onClick={() => set({ server: '' })}>
                    Show all {countOf(queue.length, 'server')}
                  </button>
                </p>
              )}
              {panels.map((entry) => (
                <PinnedPanel key={entry.server} pinned={entry} />
              ))}
              {panels.length === 0 && (
                <section className="panel" aria-label="Approvals">
                  <Empty title="No tools wait for approval">
                    {isPinned
                      ? 'All tools match their pinned definitions.'
                      : 'Definitions are pinned when a server first lists its tools.'}
                  </Empty>
                </section>
              )}
              {servers.length > 0 && (
                <Panel title="Pinned definitions" isFlush>
                  <Table
                    caption="Pins by server"
                    columns={columns}
                    rows={servers}
                    keyOf={({ server, source }) => `${server}\n${source}`}
                  />
                </Panel>
              )}
            </>
          )
        }}
      </Answered>
    </Page>
  )
}

const kinds = { '-': ['is-gone', 'removed: '], '+': ['is-come', 'added: '] } as const

/** Removed and added lines. Invisible characters are spelled out. */
function DiffView({ label, lines }: { label: string; lines: string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className="diff" aria-label={spellOddCharacters(label)} tabIndex={0}>
      {lines.map((line, index) => {
        const [name, word] = kinds[line[0] as '-' | '+'] ?? ['', '']
        return (
          <div key={index} className={name}>
            <span aria-hidden="true">{word ? line[0] : ' '}</span>
            <span className="for-readers">{word}</span>
            <PlainText>{word ? line.slice(2) : line}</PlainText>
          </div>
        )
      })}
    </section>
  )
}

interface WaitingToolViewProps {
  change: Schemas['WaitingTool']
  isLooked: boolean
  isBusy: boolean
  onLooked: (isLooked: boolean) => void
  onApprove: () => void
}

function WaitingToolView(props: WaitingToolViewProps) {
  const { change, isLooked, isBusy, onLooked, onApprove } = props
  const { tool, hash, reasons, seenAt, isNew, diff, definition } = change
  const id = useId()
  return (
    <article className="waiting-tool" aria-labelledby={id}>
      <header>
        <h3 id={id}>
          <PlainText>{tool}</PlainText>
        </h3>
        <Badge tone={isNew ? 'info' : 'warn'}>{isNew ? 'new' : 'changed'}</Badge>
        <span className="waiting-when">
          seen <Time of={seenAt} style="relative" />, <code title={hash}>{hash.slice(0, 12)}</code>
        </span>
        <CheckField isChecked={isLooked} onChange={onLooked}>
          Reviewed
        </CheckField>
        <WriteButton isBusy={isBusy} aria-label={`Approve ${tool}`} onClick={onApprove}>
          Approve
        </WriteButton>
      </header>
      <ul className="waiting-reasons">
        {reasons.map((reason) => (
          <li key={reason}>
            <PlainText>{reason}</PlainText>
          </li>
        ))}
      </ul>
      {diff.length > 0 && <DiffView label={`Changes of ${tool}`} lines={diff} />}
      {definition ? (
        <details>
          <summary>Full definition</summary>
          <CodeBlock label={`Definition of ${tool}`}>
            {JSON.stringify(definition, null, 2)}
          </CodeBlock>
        </details>
      ) : (
        <p className="waiting-long">
          The full definition is too long to show. The changes are above.
        </p>
      )}
    </article>
  )
}

type Approval = NonNullable<Schemas['Approval']['tools']>

/** The waiting tools of a server. Approves exactly the definitions on the screen, by hash. */
function PinnedPanel({ pinned }: { pinned: Schemas['PinnedServer'] }) {
  const { toasts } = useConsole()
  const { server, waiting } = pinned
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set())
  const approve = useAct({
    send: (api, tools: Approval) => api.POST('/api/v1/pins/approve', { body: { server, tools } }),
    invalidates: ['pins', 'tools', 'servers'],
    onDone({ approved, changed }) {
      if (approved.length > 0)
        toasts.show(`${countOf(approved.length, 'tool')} of ${server} approved.`)
      if (changed.length > 0)
        toasts.showError(
          new Error(`Changed again since your review: ${changed.join(', ')}. Review them again.`),
        )
    },
  })
  const ready = waiting.filter(({ hash }) => looked.has(hash))
  const toggle = (hash: string, isLooked: boolean) =>
    setLooked(new Set(isLooked ? [...looked, hash] : [...looked].filter((mark) => mark !== hash)))
  return (
    <Panel
      title={server}
      aside={
        <>
          {ready.length} of {waiting.length} reviewed
          <WriteButton
            kind="main"
            isBusy={approve.isPending}
            disabledReason={
              ready.length === 0 ? 'Mark the tools that you have reviewed first.' : undefined
            }
            onClick={() => approve.mutate(ready.map(({ tool, hash }) => ({ tool, hash })))}
          >
            Approve reviewed
          </WriteButton>
        </>
      }
      isFlush
    >
      {waiting.map((change) => (
        <WaitingToolView
          key={change.hash}
          change={change}
          isLooked={looked.has(change.hash)}
          isBusy={approve.isPending}
          onLooked={(isLooked) => toggle(change.hash, isLooked)}
          onApprove={() => approve.mutate([{ tool: change.tool, hash: change.hash }])}
        />
      ))}
    </Panel>
  )
}

const columns: readonly Column<Schemas['PinnedServer']>[] = [
  column('Server', '', ({ server }) => <PlainText>{server}</PlainText>),
  column('Source', 'is-clip is-muted', ({ source }) => (
    <PlainText isClipped isCode>
      {source}
    </PlainText>
  )),
  column('Pinned', 'is-number', ({ pinned }) => formatCount(pinned)),
  column('Waiting', 'is-number', ({ waiting }) => formatCount(waiting.length)),
  column('Actions', 'is-narrow', ({ server }) => <Reset server={server} />),
]

function Reset({ server }: { server: string }) {
  return (
    <ConfirmButton
      action="Reset"
      label={`Reset the pins of ${server}`}
      title="Reset these pins?"
      send={(api) => api.POST('/api/v1/pins/reset', { body: { server } })}
      invalidates={['pins', 'tools']}
      successText={() => `Pins of ${server} reset.`}
    >
      <p>
        The next definitions of <PlainText>{server}</PlainText> are trusted and pinned, including
        those that wait for approval now.
      </p>
    </ConfirmButton>
  )
}

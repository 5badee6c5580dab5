import { valueAt } from '@pith-mcp/base/table'
import { useState } from 'react'
import { useAct, useConfig, useConfigSchema, useEdits, useUndoPreview } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { useConsole } from '../api/use-console.ts'
import { callerName } from '../text/caller-name.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Diff } from '../ui/diff.tsx'
import { Answered, CodeBlock, Empty, Page, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { EditButton } from './edit-button.tsx'
import { RemoveSetting } from './remove-setting.tsx'
import { schemaAt } from './schema-at.ts'

export function SettingsPage() {
  const query = useConfig()
  return (
    <Page
      title="Settings"
      intro="Limits, trust, permissions and callers in the configuration. Secrets are hidden: ••••••."
    >
      <Answered query={query} lines={10}>
        {(config) => (
          <>
            {config.readOnlyReason && (
              <p role="status">
                <PlainText>{config.readOnlyReason}</PlainText>
              </p>
            )}
            <SettingPanel title="Limits" path={['aggregator', 'limits']} config={config}>
              No limits. Set how many calls a caller, a server or a tool may have, or how many
              tokens the results of a session may take.
            </SettingPanel>
            <SettingPanel title="Trust" path={['aggregator', 'trust']} config={config} isAdmin>
              The defaults apply: definitions are pinned and checked, and over HTTP new tools are
              held.
            </SettingPanel>
            <SettingPanel
              title="Permissions"
              path={['aggregator', 'permissions']}
              config={config}
              isAdmin
            >
              Every call is made at once. Add rules to deny calls, to ask a person before they are
              made, or to allow them.
            </SettingPanel>
            <CallersPanel config={config} />
            <OtherSettings config={config} />
            <ChangesPanel />
          </>
        )}
      </Answered>
    </Page>
  )
}

type Configuration = Schemas['Configuration']

interface SettingPanelProps {
  title: string
  path: readonly string[]
  only?: readonly string[]
  config: Configuration
  isAdmin?: boolean
  /** What holds without the setting. */
  children: string
}

function SettingPanel({ title, path, only, config, isAdmin, children }: SettingPanelProps) {
  const value = valueIn(config, path)
  const members = Object.entries(value ?? {}).filter(([key]) => only?.includes(key) ?? true)
  return (
    <Panel
      title={title}
      aside={
        <EditButton
          title={`Edit: ${title}`}
          path={path.slice(0, -1)}
          name={path.at(-1) ?? ''}
          {...(only && { sections: { [title]: only } })}
          {...(isAdmin && { isAdmin })}
        />
      }
    >
      {members.length > 0 ? (
        <CodeBlock label={title}>{JSON.stringify(Object.fromEntries(members), null, 2)}</CodeBlock>
      ) : (
        <p>{children}</p>
      )}
    </Panel>
  )
}

/** Those without a panel or page of their own. */
function OtherSettings({ config }: { config: Configuration }) {
  const schema = useConfigSchema()
  const members = schemaAt(schema.data ?? {}, ['aggregator'])['properties'] ?? {}
  const only = Object.keys(members).filter((key) => !withPanel.has(key))
  if (only.length === 0) return null
  return (
    <SettingPanel title="Other settings" path={['aggregator']} only={only} config={config} isAdmin>
      The defaults apply.
    </SettingPanel>
  )
}

const withPanel = new Set(['limits', 'trust', 'permissions', 'callers', 'profiles'])

const callersPath = ['aggregator', 'callers']

type Caller = readonly [name: string, settings: { profile?: string; rate?: object }]

const columns: readonly Column<Caller>[] = [
  column('Caller', '', ([name]) => <PlainText>{name}</PlainText>),
  column('Profile', '', ([, { profile }]) => (profile ? <PlainText>{profile}</PlainText> : '–')),
  column('Rate', '', ([, { rate }]) => (rate ? <code>{JSON.stringify(rate)}</code> : '–')),
  column('Actions', 'is-narrow', ([name]) => (
    <div className="button-row">
      <EditButton title={`Edit ${name}`} path={callersPath} name={name} isAdmin />
      <RemoveSetting path={[...callersPath, name]} isAdmin>
        <p>Requests with its token are rejected from now on.</p>
      </RemoveSetting>
    </div>
  )),
]

/** Clients that are recognized by a token in the configuration. */
function CallersPanel({ config }: { config: Configuration }) {
  const rows = Object.entries(valueIn(config, callersPath) ?? {}) as unknown as Caller[]
  return (
    <Panel
      title="Callers"
      aside={<EditButton action="New caller" title="New caller" path={callersPath} isAdmin />}
      isFlush
    >
      {rows.length === 0 ? (
        <Empty title="No callers are configured">
          Most clients use access tokens, which are created on their own page. A caller is a token
          that you choose, with a profile and limits.
        </Empty>
      ) : (
        <Table
          caption="Configured callers"
          columns={columns}
          rows={rows}
          keyOf={([name]) => name}
        />
      )}
    </Panel>
  )
}

type Edit = Schemas['ConfigEdit']

/** The last changes of the configuration, each with what it did and a way back. */
function ChangesPanel() {
  const { noAdminReason } = useConsole()
  return noAdminReason === undefined ? <Changes /> : null
}

function Changes() {
  const [undone, setUndone] = useState<Edit>()
  return (
    <Panel title="Changes" isFlush>
      <Answered query={useEdits()} lines={4}>
        {(edits) =>
          edits.length === 0 ? (
            <Empty title="Nothing was changed yet">
              The last 50 changes by the console and by commands are listed here.
            </Empty>
          ) : (
            <Table<Edit>
              caption="Changes of the configuration"
              rows={edits}
              keyOf={({ id }) => id}
              columns={[
                column('Change', '', ({ what, diff }) => (
                  <details>
                    <summary>
                      <PlainText isCode>{what}</PlainText>
                    </summary>
                    <Diff label={what} lines={diff} />
                  </details>
                )),
                column('By', '', ({ by, via }) => (
                  <PlainText>{[by && callerName(by), via].filter(Boolean).join(', ')}</PlainText>
                )),
                column('When', '', ({ at }) => <Time of={at} style="relative" />),
                column('Actions', 'is-narrow', (edit) => (
                  <WriteButton
                    isAdmin
                    aria-label={`Undo ${edit.what}`}
                    onClick={() => setUndone(edit)}
                  >
                    Undo
                  </WriteButton>
                )),
              ]}
            />
          )
        }
      </Answered>
      {undone && <UndoDialog edit={undone} onClose={() => setUndone(undefined)} />}
    </Panel>
  )
}

/** What undoing writes, before it is written. */
function UndoDialog({ edit: { id, what }, onClose }: { edit: Edit; onClose: () => void }) {
  const preview = useUndoPreview(id)
  const undo = useAct({
    send: (api, version: string) => api.POST('/api/v1/config/undo', { body: { id, version } }),
    invalidates: ['config', 'servers', 'server', 'profiles', 'tools', 'receipt'],
    successText: ({ what: command }) => `Undone: ${command}`,
    onDone: onClose,
  })
  return (
    <Dialog title={`Undo ${what}`} onClose={onClose} isWide>
      <Answered query={preview} lines={6}>
        {({ diff, refusal, version, path }) => (
          <>
            {refusal && (
              <p role="alert">
                <PlainText>{`${refusal.reason} ${refusal.remedy}`}</PlainText>
              </p>
            )}
            <Diff label={`What changes in ${path}`} lines={diff} />
            <div className="dialog-actions">
              <Button onClick={onClose}>Cancel</Button>
              <WriteButton
                kind="main"
                isAdmin
                isBusy={undo.isPending}
                disabledReason={refusal?.reason}
                onClick={() => undo.mutate(version)}
              >
                Undo this change
              </WriteButton>
            </div>
          </>
        )}
      </Answered>
    </Dialog>
  )
}

/** The object at a path, in the file that has it. */
function valueIn({ files }: Configuration, path: readonly string[]): object | undefined {
  const values = files.map((file) => valueAt(file, path))
  return values.find((value): value is object => typeof value === 'object' && value !== null)
}

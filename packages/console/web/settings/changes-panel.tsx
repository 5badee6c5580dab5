import { useState } from 'react'
import type { Schemas } from '../api/answer-of.ts'
import { useAct, useConsole, useEdits, useUndoPreview } from '../api/hooks.ts'
import { callerName } from '../text/caller-name.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Diff } from '../ui/diff.tsx'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { PlainText, Time } from '../ui/plain-text.tsx'
import { column, Table } from '../ui/table.tsx'

type Edit = Schemas['ConfigEdit']

/** The last changes of the configuration, each with what it did and a way back. */
export function ChangesPanel() {
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

import { type FormEvent, type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import { answerOf } from '../api/create-api.ts'
import { useAct } from '../api/use-act.ts'
import { countOf } from '../text/numbers.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { EntryFields } from './entry-fields.tsx'
import { type EntryDraft, type ReadEntry, readEntry } from './read-entry.ts'

const empty: EntryDraft = {
  type: 'command',
  name: '',
  command: '',
  env: '',
  url: '',
  headers: '',
  json: '',
}

export function AddServerDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { api } = useConsole()
  const [draft, setDraft] = useState(empty)
  const [replace, setReplace] = useState(false)
  const [problem, setProblem] = useState<Error>()
  const set = (change: Partial<EntryDraft>) => setDraft({ ...draft, ...change })
  const add = useAct({
    async send(entries: ReadEntry[]) {
      for (const one of entries)
        await answerOf(
          api.POST('/api/v1/servers', { body: { ...one, ...(replace && { replace }) } }),
        )
      return entries
    },
    invalidates: ['servers', 'receipt', 'tools'],
    successText: (entries) =>
      entries.length === 1
        ? `${entries[0]?.name} added.`
        : `${countOf(entries.length, 'server')} added.`,
    onDone: onClose,
    isQuiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setProblem(undefined)
    try {
      add.mutate(readEntry(draft))
    } catch (error) {
      setProblem(error as Error)
    }
  }
  const shown = problem ?? add.error
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
        <Field
          label="Name"
          hint={
            draft.type === 'json'
              ? 'Only for an entry without a name.'
              : 'Letters, digits, - and _.'
          }
        >
          {(id, hintId) => (
            <input
              id={id}
              aria-describedby={hintId}
              autoComplete="off"
              maxLength={64}
              required={draft.type !== 'json'}
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <EntryFields draft={draft} set={set} />
        <label className="check">
          <input
            type="checkbox"
            checked={replace}
            onChange={(event) => setReplace(event.target.checked)}
          />
          Replace a server of the same name
        </label>
        {shown && <ProblemNote error={shown} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <WriteButton type="submit" kind="main" isBusy={add.isPending}>
            Add
          </WriteButton>
        </div>
      </form>
    </Dialog>
  )
}

import { type FormEvent, type ReactNode, useState } from 'react'
import { useAct } from '../api/use-act.ts'
import { countOf } from '../text/numbers.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { CheckField } from '../ui/check-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { TextField } from '../ui/text-field.tsx'
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
  const [draft, setDraft] = useState(empty)
  const [replace, setReplace] = useState(false)
  const set = (change: Partial<EntryDraft>) => setDraft({ ...draft, ...change })
  const [problem, setProblem] = useState<Error>()
  const adding = useAct({
    async send(api, [first, ...others]: readonly [ReadEntry, ...ReadEntry[]]) {
      const post = (one: ReadEntry) =>
        api.POST('/api/v1/servers', { body: { ...one, ...(replace && { replace }) } })
      let reply = await post(first)
      for (const one of others) if (reply.response.ok) reply = await post(one)
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
      const [first, ...others] = readEntry(draft)
      if (first) adding.mutate([first, ...others])
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

import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, WriteButton } from '../ui/button.tsx'
import { CheckField } from '../ui/check-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { TextField } from '../ui/text-field.tsx'
import { EntryFields } from './entry-fields.tsx'
import type { EntryDraft } from './read-entry.ts'
import { useAddServers } from './use-add-servers.ts'

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
  const { add, isPending, error } = useAddServers(onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add(draft, replace)
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
          <WriteButton type="submit" kind="main" isBusy={isPending}>
            Add
          </WriteButton>
        </div>
      </form>
    </Dialog>
  )
}

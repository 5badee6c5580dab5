import { useEffect, useState } from 'react'
import type { Schemas } from '../api/answer-of.ts'
import { useAct } from '../api/hooks.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Diff } from '../ui/diff.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { ProblemNote, Skeleton } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import type { ValueEdit } from './edits-of.ts'

interface ChangeReviewProps {
  edits: readonly ValueEdit[]
  /** The version of the file that was edited. */
  version: string
  /** Notified when it is saved. */
  what: string
  onBack: () => void
  onSaved: () => void
}

const stores = [
  ['keychain', 'Store it in the keychain'],
  ['file', 'Write it into the file, in clear'],
] as const

/** What a change writes, as a diff, before it is saved. Secrets may go to the keychain instead. */
export function ChangeReview({ edits, version, what, onBack, onSaved }: ChangeReviewProps) {
  const [inFile, setInFile] = useState<ReadonlySet<string>>(new Set())
  const preview = useAct({
    send: (api, change: Schemas['ConfigEdits']) =>
      api.POST('/api/v1/config/preview', { body: change }),
    invalidates: [],
    isQuiet: true,
  })
  const { mutate } = preview
  useEffect(() => mutate({ edits: [...edits], version }), [mutate, edits, version])
  const secrets = preview.data?.inClear ?? []
  const keyOf = (path: readonly string[]): string => path.join('\n')
  const stored = new Set(secrets.map(keyOf).filter((key) => !inFile.has(key)))
  const save = useAct({
    send: (api) =>
      api.POST('/api/v1/config/edit', { body: { edits: withSecrets(edits, stored), version } }),
    invalidates: ['config', 'servers', 'server', 'profiles', 'tools', 'receipt'],
    successText: () => what,
    onDone: onSaved,
    isQuiet: true,
  })
  const error = preview.error ?? save.error
  const { data } = preview
  return (
    <div className="dialog-form">
      {data ? (
        <>
          <p>
            This changes <PlainText isCode>{data.path}</PlainText>. Everything else in the file
            stays as it is.
          </p>
          <Diff label="Change of the configuration" lines={data.diff} />
        </>
      ) : (
        !error && <Skeleton lines={5} />
      )}
      {secrets.map((path) => (
        <ChoiceField
          key={keyOf(path)}
          label={`${path.slice(1).join('.')} may be a secret`}
          options={stores}
          value={inFile.has(keyOf(path)) ? 'file' : 'keychain'}
          onChange={(choice) => {
            const next = new Set(inFile)
            if (choice === 'file') next.add(keyOf(path))
            else next.delete(keyOf(path))
            setInFile(next)
          }}
        />
      ))}
      {data?.readOnlyReason && (
        <p role="status">
          <PlainText>{data.readOnlyReason}</PlainText>
        </p>
      )}
      {error && <ProblemNote error={error} />}
      <div className="dialog-actions">
        <Button onClick={onBack}>Back</Button>
        <WriteButton
          kind="main"
          isAdmin={data?.scope === 'console:admin'}
          isBusy={save.isPending || preview.isPending}
          disabledReason={data ? data.readOnlyReason : 'There is nothing to save.'}
          onClick={() => save.mutate(undefined)}
        >
          Save
        </WriteButton>
      </div>
    </div>
  )
}

/** Marks the texts that are stored in the keychain; those within a new object become edits. */
export function withSecrets(edits: readonly ValueEdit[], stored: ReadonlySet<string>): ValueEdit[] {
  return edits.flatMap((edit) => {
    const { path, value } = edit
    if (stored.has(path.join('\n'))) return [{ ...edit, isSecret: true }]
    const secrets = [...stored].filter((key) => key.startsWith(`${path.join('\n')}\n`))
    if (secrets.length === 0) return [edit]
    const rest = structuredClone(value)
    const inner = secrets.map((key) => {
      const at = key.split('\n')
      return { path: at, value: taken(rest, at.slice(path.length)), isSecret: true }
    })
    return [{ path, value: rest }, ...inner]
  })
}

/** Removes a member of nested objects. Returns its value. */
function taken(root: unknown, path: readonly string[]): unknown {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], root)
  const key = path.at(-1) ?? ''
  const members = holder as Record<string, unknown>
  const value = members[key]
  delete members[key]
  return value
}

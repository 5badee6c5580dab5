import { useEffect, useMemo, useState } from 'react'
import { useAct } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Diff } from '../ui/diff.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { ProblemNote, Skeleton } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type ValueEdit, withSecrets } from './edits-of.ts'

interface ChangeReviewProps {
  edits: readonly ValueEdit[]
  /** The version of the file that was edited. */
  version: string
  /** Notified when it is saved. */
  what: string
  onBack: () => void
  onSaved: () => void
}

/** What a change writes, as a diff, before it is saved. Secrets may be stored elsewhere. */
export function ChangeReview({ edits, version, what, onBack, onSaved }: ChangeReviewProps) {
  const [inFile, setInFile] = useState<ReadonlySet<string>>(new Set())
  /** Paths that may be secret, as the first preview names them. */
  const [secrets, setSecrets] = useState<readonly string[][]>()
  const preview = useAct({
    send: (api, change: Schemas['ConfigEdits']) =>
      api.POST('/api/v1/config/preview', { body: change }),
    invalidates: [],
    onDone: ({ inClear }) => setSecrets((first) => first ?? inClear),
    isQuiet: true,
  })
  const { mutate } = preview
  const change = useMemo(() => {
    const secretPaths = new Set(secrets?.map(keyOf).filter((key) => !inFile.has(key)))
    return { edits: withSecrets(edits, secretPaths), version }
  }, [edits, version, secrets, inFile])
  useEffect(() => mutate(change), [mutate, change])
  const save = useAct({
    send: (api) => api.POST('/api/v1/config/edit', { body: change }),
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
      {secrets?.map((path) => (
        <ChoiceField
          key={keyOf(path)}
          label={`${path.slice(1).join('.')} may be a secret`}
          options={[
            ['stored', `Store it in ${data?.secretStore ?? 'the keychain'}`],
            ['file', 'Write it into the file, in clear'],
          ]}
          value={inFile.has(keyOf(path)) ? 'file' : 'stored'}
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
          disabledReason={data ? data.readOnlyReason : error?.message}
          onClick={() => save.mutate(undefined)}
        >
          Save
        </WriteButton>
      </div>
    </div>
  )
}

const keyOf = (path: readonly string[]): string => path.join('\n')

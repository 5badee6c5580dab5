import { valueAt } from '@pith-mcp/base/table'
import { lazy, Suspense, useState } from 'react'
import { useConfig, useConfigSchema } from '../api/hooks.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Segmented, TextField } from '../ui/fields.tsx'
import { Answered, Skeleton } from '../ui/page.tsx'
import { ChangeReview } from './change-review.tsx'
import { editsOf, type ValueEdit, withoutEmpty } from './edits-of.ts'
import { fieldsFor, type JsonSchema, schemaAt } from './schema-at.ts'

const SchemaForm = lazy(async () => ({
  default: (await import('../forms/schema-form.tsx')).SchemaForm,
}))

export interface SettingsDialogProps {
  title: string
  /** Of the object that holds the settings, such as `aggregator`, `profiles`. */
  path: readonly string[]
  /** The member of it; undefined for a new one, whose name is asked. */
  name?: string
  /** The members to show, by the section that has them; default: all. */
  sections?: Readonly<Record<string, readonly string[]>>
  onClose: () => void
}

/** Edits settings in a form made from their schema; the change is shown before it is saved. */
export function SettingsDialog(props: SettingsDialogProps) {
  const { title, sections, onClose } = props
  const schema = useConfigSchema()
  const config = useConfig()
  const names = Object.keys(sections ?? {})
  const [section = '', setSection] = useState(names[0])
  const only = sections?.[section]
  return (
    <Dialog title={title} onClose={onClose} isWide>
      {names.length > 1 && (
        <Segmented
          label="Section"
          value={section}
          options={names.map((name) => [name, name])}
          onChange={setSection}
        />
      )}
      <Answered query={schema} lines={8}>
        {(root) => (
          <Answered query={config} lines={8}>
            {({ files }) => (
              <SettingsForm
                key={section}
                {...props}
                {...(only && { only })}
                root={root}
                files={files}
              />
            )}
          </Answered>
        )}
      </Answered>
    </Dialog>
  )
}

interface SettingsFormProps extends SettingsDialogProps {
  only?: readonly string[]
  root: JsonSchema
  files: readonly ({ version: string } & Readonly<Record<string, unknown>>)[]
}

type Values = Record<string, unknown>

function SettingsForm({ path, name, only, root, files, onClose }: SettingsFormProps) {
  const [newName, setNewName] = useState('')
  const fullPath = [...path, name ?? newName.trim()]
  // The file is read once: another change of it is refused when this one is saved.
  const [{ version, before }] = useState(() => {
    const file = files.find((entry) => valueAt(entry, fullPath) !== undefined) ?? files[0]
    const value = name === undefined ? undefined : valueAt(file, fullPath)
    return { version: file?.version ?? '', before: value as Values | undefined }
  })
  const [values, setValues] = useState<Values>(before ?? {})
  const [edits, setEdits] = useState<readonly ValueEdit[]>()
  const [note, setNote] = useState('')
  if (edits !== undefined)
    return (
      <ChangeReview
        edits={edits}
        version={version}
        what={`${fullPath.at(-1)} saved.`}
        onBack={() => setEdits(undefined)}
        onSaved={onClose}
      />
    )
  const schema = schemaAt(root, [...path, name ?? '*'], only)
  return (
    <div className="dialog-form">
      {name === undefined && (
        <TextField label="Name" required maxLength={60} value={newName} onChange={setNewName} />
      )}
      <Suspense fallback={<Skeleton lines={8} />}>
        <SchemaForm
          action="Review the change"
          schema={schema}
          uiSchema={fieldsFor(schema, before)}
          args={values}
          isBusy={false}
          onChange={setValues}
          onCall={(data) => {
            // Settings that are not in the file yet are an empty object; only a new name is one edit.
            const old = name === undefined ? undefined : withoutEmpty(before ?? {})
            const next = editsOf(fullPath, old, withoutEmpty(data))
            const isUnnamed = fullPath.at(-1) === ''
            setNote(isUnnamed ? 'Enter a name.' : next.length === 0 ? 'Nothing has changed.' : '')
            if (!isUnnamed && next.length > 0) setEdits(next)
          }}
        />
      </Suspense>
      <p role="status">{note}</p>
    </div>
  )
}

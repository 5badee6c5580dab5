import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useAct, useRegistryPlan } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { serverPath } from '../text/paths.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField, TextField } from '../ui/fields.tsx'
import { CodeBlock, ProblemNote } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { ChoiceList, InputField, ProblemList, RiskList, valuesOf } from './add-fields.tsx'

interface AddDialogProps {
  server: Schemas['RegistryServer']
  onClose: () => void
}

/** Adds a server of the registry, after showing what will be started. */
export function AddDialog({ server, onClose }: AddDialogProps) {
  return (
    <Dialog title={`Add ${spellOddCharacters(server.name)}`} onClose={onClose} isWide>
      <AddForm server={server} onClose={onClose} />
    </Dialog>
  )
}

function AddForm({ server, onClose }: AddDialogProps) {
  const { choices, suggestedName, version, description, repository = '' } = server
  const [choice, setChoice] = useState(choices.findIndex(({ refusal }) => !refusal))
  const [name, setName] = useState(suggestedName)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [replace, setReplace] = useState(false)
  const [accepts, setAccepts] = useState<readonly string[]>([])
  const inputs = choices[choice]?.inputs ?? []
  const addition = (mask?: string) => ({
    name: name.trim() || suggestedName,
    server: server.name,
    ...(version && { version }),
    choice,
    replace,
    accepts: [...accepts],
    values: valuesOf(inputs, texts, mask),
  })
  // A secret is sent once, to be stored.
  const plan = useRegistryPlan(addition('…'), choice >= 0)
  const { launch = '', problems = [], risks = [] } = plan.data ?? {}
  const open = risks.some((risk) => !accepts.includes(risk)) ? 'Accept the risks first.' : undefined
  const reason = choice < 0 ? 'Nothing of it can be added.' : (problems[0] ?? open)
  const add = useAct({
    send: (api) => api.POST('/api/v1/registry/add', { body: addition() }),
    invalidates: ['servers', 'receipt', 'tools'],
    isQuiet: true,
  })
  const error = add.error ?? plan.error
  if (add.data) return <Added name={addition().name} next={add.data.next} onClose={onClose} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(undefined)
  }
  return (
    <form className="dialog-form registry-form" onSubmit={submit}>
      <p>
        <PlainText>{description}</PlainText>{' '}
        {repository.startsWith('https://') && (
          <a href={repository} target="_blank" rel="noreferrer">
            Source code
          </a>
        )}
      </p>
      <ChoiceList choices={choices} choice={choice} onChange={setChoice} />
      <TextField label="Name" required maxLength={60} value={name} onChange={setName} />
      {inputs.map((input) => (
        <InputField
          key={input.name}
          input={input}
          text={texts[input.name] ?? input.default ?? ''}
          onChange={(text) => setTexts({ ...texts, [input.name]: text })}
        />
      ))}
      <CheckField isChecked={replace} onChange={setReplace}>
        Replace a server of the same name
      </CheckField>
      <div className="field">
        <span className="field-label">What will be started or connected to</span>
        <CodeBlock label="What will be started or connected to">{launch}</CodeBlock>
      </div>
      <RiskList risks={risks} accepts={accepts} onChange={setAccepts} />
      <ProblemList problems={problems} />
      {error && <ProblemNote error={error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <WriteButton
          type="submit"
          kind="main"
          isAdmin
          isBusy={add.isPending}
          disabledReason={reason}
        >
          Add
        </WriteButton>
      </div>
    </form>
  )
}

function Added({ name, next, onClose }: { name: string; next: string; onClose: () => void }) {
  return (
    <>
      <p>
        <PlainText>{next}</PlainText>
      </p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
        <Link className="button is-main" href={serverPath(name)}>
          Open <PlainText>{name}</PlainText>
        </Link>
      </div>
    </>
  )
}

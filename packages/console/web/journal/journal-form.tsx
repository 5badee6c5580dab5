import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice-field.tsx'
import { ServerField } from '../ui/server-field.tsx'
import { SearchField, TextField } from '../ui/text-field.tsx'

/** The search fields, as query parameters of the page. */
export const journalFields = [
  'text',
  'server',
  'tool',
  'outcome',
  'since',
  'kind',
  'caller',
  'account',
  'profile',
  'session',
  'until',
] as const

type Values = Partial<Record<(typeof journalFields)[number], string>>

const empty: Values = Object.fromEntries(journalFields.map((name) => [name, '']))

interface JournalFormProps {
  values: Values
  onSearch: (values: Values) => void
}

export function JournalForm({ values, onSearch }: JournalFormProps): ReactNode {
  const [draft, setDraft] = useState<Values>(values)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch({ ...empty, ...draft })
  }
  /** Ties a field to its part of the draft. */
  const part = (name: keyof Values) => ({
    value: draft[name] ?? '',
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  })
  return (
    <search>
      <form onSubmit={submit} className="toolbar">
        <SearchField label="Text" placeholder="In any field" maxLength={200} {...part('text')} />
        <ServerField {...part('server')} />
        <TextField label="Tool" {...part('tool')} />
        <ChoiceField label="Outcome" options={outcomes} {...part('outcome')} />
        <ChoiceField label="Kind" options={kinds} {...part('kind')} />
        <TextField label="Since" placeholder="7d, 24h or a time" {...part('since')} />
        <Button type="submit" kind="main">
          Search
        </Button>
        <Button kind="quiet" onClick={() => onSearch(empty)}>
          Clear
        </Button>
        <details className="toolbar-more" open={rare.some(([name]) => draft[name])}>
          <summary>More fields</summary>
          <div className="toolbar">
            {rare.map(([name, label, placeholder]) => (
              <TextField key={name} label={label} placeholder={placeholder} {...part(name)} />
            ))}
          </div>
        </details>
      </form>
    </search>
  )
}

const outcomes = [
  ['', 'Any'],
  ['failed', 'Failed'],
  ['ok', 'ok'],
  ['tool_error', 'tool_error'],
  ['rejected', 'rejected'],
] as const

const kinds = [
  ['', 'Any'],
  ['call', 'Calls'],
  ['meta', 'Meta-tools'],
  ['list', 'Lists'],
  ['admin', 'Changes'],
  ['event', 'Events'],
] as const

const rare = [
  ['caller', 'Caller', ''],
  ['account', 'Account', ''],
  ['profile', 'Profile', ''],
  ['session', 'Session', ''],
  ['until', 'Until', '2026-01-31T12:00'],
] as const

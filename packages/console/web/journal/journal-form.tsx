import { type FormEvent, type ReactNode, useState } from 'react'
import { useServers } from '../api/use-answers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'

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

interface JournalFormProps {
  values: Values
  onSearch: (values: Values) => void
}

const choices = {
  outcome: [
    ['', 'Any'],
    ['failed', 'Failed'],
    ['ok', 'ok'],
    ['tool_error', 'tool_error'],
    ['rejected', 'rejected'],
  ],
  kind: [
    ['', 'Any'],
    ['call', 'Calls'],
    ['meta', 'Meta-tools'],
    ['list', 'Lists'],
    ['event', 'Events'],
  ],
} as const

const rare = [
  ['caller', 'Caller', ''],
  ['account', 'Account', ''],
  ['profile', 'Profile', ''],
  ['session', 'Session', ''],
  ['until', 'Until', '2026-01-31T12:00'],
] as const

export function JournalForm({ values, onSearch }: JournalFormProps): ReactNode {
  const [draft, setDraft] = useState<Values>(values)
  const servers = [...new Set((useServers().data ?? []).map(({ name }) => name))]
  const inputProps = (name: keyof Values) => ({
    value: draft[name] ?? '',
    onChange: (event: { target: { value: string } }) =>
      setDraft({ ...draft, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch({ ...Object.fromEntries(journalFields.map((name) => [name, ''])), ...draft })
  }
  const choice = (name: keyof typeof choices, label: string) => {
    const known = choices[name].some(([value]) => value === (draft[name] ?? ''))
    return (
      <Field label={label}>
        {(id) => (
          <select id={id} {...inputProps(name)}>
            {choices[name].map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
            {!known && <option>{draft[name]}</option>}
          </select>
        )}
      </Field>
    )
  }
  return (
    <search>
      <form onSubmit={submit} className="toolbar">
        <Field label="Text" isWide>
          {(id) => (
            <input
              id={id}
              type="search"
              placeholder="In any field"
              maxLength={200}
              {...inputProps('text')}
            />
          )}
        </Field>
        <Field label="Server">
          {(id) => (
            <select id={id} {...inputProps('server')}>
              <option value="">All</option>
              {[...new Set([...servers, ...(draft.server ? [draft.server] : [])])].map((name) => (
                <option key={name} value={name}>
                  {spellOddCharacters(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Tool">
          {(id) => <input id={id} autoComplete="off" {...inputProps('tool')} />}
        </Field>
        {choice('outcome', 'Outcome')}
        {choice('kind', 'Kind')}
        <Field label="Since">
          {(id) => (
            <input
              id={id}
              autoComplete="off"
              placeholder="7d, 24h or a time"
              {...inputProps('since')}
            />
          )}
        </Field>
        <Button type="submit" kind="main">
          Search
        </Button>
        <Button
          kind="quiet"
          onClick={() => onSearch(Object.fromEntries(journalFields.map((name) => [name, ''])))}
        >
          Clear
        </Button>
        <details className="toolbar-more" open={rare.some(([name]) => draft[name])}>
          <summary>More fields</summary>
          <div className="toolbar">
            {rare.map(([name, label, placeholder]) => (
              <Field key={name} label={label}>
                {(id) => (
                  <input
                    id={id}
                    autoComplete="off"
                    placeholder={placeholder}
                    {...inputProps(name)}
                  />
                )}
              </Field>
            ))}
          </div>
        </details>
      </form>
    </search>
  )
}

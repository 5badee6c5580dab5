import type { ReactNode } from 'react'
import { Field } from '../ui/field.tsx'
import type { EntryDraft } from './read-entry.ts'

interface EntryFieldsProps {
  draft: EntryDraft
  set: (change: Partial<EntryDraft>) => void
}

interface Control {
  of: 'command' | 'env' | 'url' | 'headers' | 'json'
  label: string
  hint?: string
  placeholder: string
  rows?: number
}

const controls: Record<EntryDraft['way'], readonly Control[]> = {
  command: [
    {
      of: 'command',
      label: 'Command',
      hint: 'As typed in a shell, but nothing is replaced in it.',
      placeholder: 'npx -y @modelcontextprotocol/server-filesystem /srv/files',
    },
    {
      of: 'env',
      label: 'Environment',
      hint: 'One a line. For secrets write ${NAME}: the value then stays out of the configuration.',
      placeholder: 'GITHUB_TOKEN=${GITHUB_TOKEN}',
      rows: 3,
    },
  ],
  url: [
    { of: 'url', label: 'URL', placeholder: 'https://mcp.example.com/mcp' },
    {
      of: 'headers',
      label: 'Headers',
      hint: 'One a line. Servers that one signs in at need none.',
      placeholder: 'Authorization: Bearer ${EXAMPLE_TOKEN}',
      rows: 3,
    },
  ],
  json: [
    {
      of: 'json',
      label: 'JSON',
      hint: 'As clients keep it: {"mcpServers": {…}}, or one entry.',
      placeholder:
        '{ "mcpServers": { "time": { "command": "uvx", "args": ["mcp-server-time"] } } }',
      rows: 10,
    },
  ],
}

export function EntryFields({ draft, set }: EntryFieldsProps): ReactNode {
  return controls[draft.way].map(({ of, label, hint, placeholder, rows }) => (
    <Field key={of} label={label} hint={hint}>
      {(id, hintId) => {
        const common = {
          id,
          'aria-describedby': hintId,
          className: 'is-mono',
          placeholder,
          spellCheck: false,
          required: of === draft.way,
          value: draft[of],
        }
        return rows ? (
          <textarea
            {...common}
            rows={rows}
            onChange={(event) => set({ [of]: event.target.value })}
          />
        ) : (
          <input
            {...common}
            autoComplete="off"
            onChange={(event) => set({ [of]: event.target.value })}
          />
        )
      }}
    </Field>
  ))
}

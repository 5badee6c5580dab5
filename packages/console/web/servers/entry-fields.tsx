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

const controls: Record<EntryDraft['type'], readonly Control[]> = {
  command: [
    {
      of: 'command',
      label: 'Command',
      hint: 'As in a shell, but nothing is expanded.',
      placeholder: 'npx -y @modelcontextprotocol/server-filesystem /srv/files',
    },
    {
      of: 'env',
      label: 'Environment',
      hint: 'One per line. Write ${NAME} for secrets, to keep the value out of the configuration.',
      placeholder: 'GITHUB_TOKEN=${GITHUB_TOKEN}',
      rows: 3,
    },
  ],
  url: [
    { of: 'url', label: 'URL', placeholder: 'https://mcp.example.com/mcp' },
    {
      of: 'headers',
      label: 'Headers',
      hint: 'One per line. Servers with a sign-in need none.',
      placeholder: 'Authorization: Bearer ${EXAMPLE_TOKEN}',
      rows: 3,
    },
  ],
  json: [
    {
      of: 'json',
      label: 'JSON',
      hint: 'As in client configurations: {"mcpServers": {…}}, or one entry.',
      placeholder:
        '{ "mcpServers": { "time": { "command": "uvx", "args": ["mcp-server-time"] } } }',
      rows: 10,
    },
  ],
}

export function EntryFields({ draft, set }: EntryFieldsProps): ReactNode {
  return controls[draft.type].map(({ of, label, hint, placeholder, rows }) => (
    <Field key={of} label={label} hint={hint}>
      {(id, hintId) => {
        const common = {
          id,
          'aria-describedby': hintId,
          className: 'is-mono',
          placeholder,
          spellCheck: false,
          required: of === draft.type,
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

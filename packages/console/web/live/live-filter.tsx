import type { ReactNode } from 'react'
import type { LiveLine } from '../api/live-store.ts'
import { CheckField } from '../ui/check-field.tsx'
import { SearchField } from '../ui/text-field.tsx'
import './live-filter.css'

export interface Filter {
  text: string
  isFailed: boolean
}

export const noFilter: Filter = { text: '', isFailed: false }

/** Whether a line is shown. */
export function matches(line: LiveLine, { text, isFailed }: Filter): boolean {
  if (isFailed && line.outcome === 'ok') return false
  if (!text) return true
  const words = text.toLowerCase()
  const { module, tool, account, caller, message, outcome } = line
  return [module, tool, account, caller, message, outcome].some((part) =>
    part?.toLowerCase().includes(words),
  )
}

interface LiveFilterProps {
  filter: Filter
  onChange: (filter: Filter) => void
}

export function LiveFilter({ filter, onChange }: LiveFilterProps): ReactNode {
  return (
    <div className="toolbar">
      <SearchField
        label="Filter"
        placeholder="Server, tool, account or outcome"
        value={filter.text}
        onChange={(text) => onChange({ ...filter, text })}
      />
      <CheckField
        isChecked={filter.isFailed}
        onChange={(isFailed) => onChange({ ...filter, isFailed })}
      >
        Failures only
      </CheckField>
    </div>
  )
}

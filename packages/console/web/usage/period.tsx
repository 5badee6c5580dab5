import type { ReactNode } from 'react'
import type { QueryOf } from '../api/schemas.ts'
import { useQueryValues } from '../text/use-query-values.ts'
import { Segmented, TextField } from '../ui/fields.tsx'

export type Period = Pick<QueryOf<'/api/v1/usage'>, 'since' | 'until'>

const spans = [
  ['1h', '1 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['30d', '30 d'],
  ['times', 'Times'],
] as const

/** For a field of the browser, in its time zone; empty for what is not a time. */
function localOf(text: string): string {
  const time = new Date(text)
  const local = time.getTime() - time.getTimezoneOffset() * 60_000
  return Number.isNaN(local) ? '' : new Date(local).toISOString().slice(0, 16)
}

/** The period of a page, which its address holds, and what it is chosen by. */
export function usePeriod(initial: '24h' | '7d'): [Period, ReactNode] {
  const [{ span, since, until = '' }, set] = useQueryValues(['span', 'since', 'until'])
  const [duration] = spans.find(([name]) => name === span) ?? [initial]
  const field = (name: 'since' | 'until', label: string, value: string) => (
    <TextField
      label={label}
      type="datetime-local"
      value={localOf(value)}
      onChange={(text) => set({ [name]: text && new Date(text).toISOString() })}
    />
  )
  const dayAgo = () => new Date(Date.now() - 86_400_000).toISOString()
  const picker = (
    <>
      <Segmented
        label="Period"
        value={since ? 'times' : duration}
        options={spans}
        onChange={(choice) =>
          set({ span: choice, until: '', since: choice === 'times' ? dayAgo() : '' })
        }
      />
      {since && field('since', 'From', since)}
      {since && field('until', 'Until', until)}
    </>
  )
  if (since === undefined) return [{ since: duration === 'times' ? initial : duration }, picker]
  return [until ? { since, until } : { since }, picker]
}

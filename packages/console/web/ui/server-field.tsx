import type { ReactNode } from 'react'
import { useServers } from '../api/use-answers.ts'
import { ChoiceField } from './choice-field.tsx'

interface ServerFieldProps {
  /** A name, also of a server that no longer exists; empty for all servers. */
  value: string
  onChange: (server: string) => void
}

/** A choice of one server, or all. */
export function ServerField(props: ServerFieldProps): ReactNode {
  // A server with accounts is listed once for each of them.
  const names = new Set(useServers().data?.map(({ name }) => name))
  const options = [['', 'All'] as const, ...[...names].map((name) => [name, name] as const)]
  return <ChoiceField label="Server" options={options} {...props} />
}

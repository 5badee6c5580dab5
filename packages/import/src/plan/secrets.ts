import { referenceTo } from '@pith-mcp/base/keychain-reference'
import { isTable, type Table } from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'
import type { PlannedSecret } from './plan.ts'

/** The variables and headers of an entry that are written in clear; names are `SERVER.env.NAME`. */
export const secretsOf = (
  server: string,
  entry: Table,
  { isInClear }: Pick<HostEnvironment, 'isInClear'>,
): PlannedSecret[] =>
  ['env', 'headers'].flatMap((kind) =>
    Object.entries(isTable(entry[kind]) ? entry[kind] : {}).flatMap(([key, value]) =>
      typeof value === 'string' && isInClear(['mcpServers', server, kind, key], value)
        ? [{ name: `${server}.${kind}.${key}`, kind, key, value }]
        : [],
    ),
  )

/** The entry with references to the keychain in place of its secrets. */
export function withReferences(entry: Table, secrets: readonly PlannedSecret[]): Table {
  const copy = structuredClone(entry)
  for (const { name, kind, key } of secrets) (copy[kind] as Table)[key] = referenceTo(name)
  return copy
}

import { isTable, type Table } from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'
import type { PlannedSecret } from './plan.ts'

type Judge = Pick<HostEnvironment, 'isInClear' | 'secretsIn' | 'secretsInArgs'>

/**
 * What is secret in an entry and written in clear: variables and headers, which are so as a whole,
 * and parts of arguments and of the address. Names are such as `SERVER.env.NAME` and `SERVER.args.1`.
 */
export function secretsOf(server: string, entry: Table, host: Judge): PlannedSecret[] {
  const named = ['env', 'headers'].flatMap((kind) =>
    Object.entries(isTable(entry[kind]) ? entry[kind] : {}).flatMap(([key, value]) =>
      typeof value === 'string' && host.isInClear(['mcpServers', server, kind, key], value)
        ? [{ name: `${server}.${kind}.${key}`, kind, key, value }]
        : [],
    ),
  )
  const args = Array.isArray(entry['args']) ? entry['args'].map(String) : []
  const found = host.secretsInArgs(args)
  const inArgs = args.flatMap((text, at) =>
    partsIn(text, found).map((value, nth) => ({
      name: [server, 'args', at, ...(nth > 0 ? [nth] : [])].join('.'),
      kind: 'args',
      key: String(at),
      value,
    })),
  )
  const { url } = entry
  const inUrl = typeof url === 'string' ? partsIn(url, host.secretsIn(undefined, url)) : []
  const ofUrl = inUrl.map((value, nth) => ({
    name: [server, 'url', ...(nth > 0 ? [nth] : [])].join('.'),
    kind: 'url',
    key: '',
    value,
  }))
  return [...named, ...inArgs, ...ofUrl]
}

/** Those that a text has, without those within another. */
const partsIn = (text: string, secrets: readonly string[]): string[] => {
  const parts = [...new Set(secrets)].filter((secret) => text.includes(secret))
  return parts.filter((part) => !parts.some((other) => other !== part && other.includes(part)))
}

/** The entry with references in place of its secrets. */
export function withReferences(
  entry: Table,
  secrets: readonly PlannedSecret[],
  referenceTo: (name: string) => string,
): Table {
  const copy = structuredClone(entry)
  for (const { name, kind, key, value } of secrets) {
    const holder = (kind === 'url' ? copy : copy[kind]) as Table
    const at = kind === 'url' ? 'url' : key
    holder[at] = String(holder[at]).replaceAll(value, () => referenceTo(name))
  }
  return copy
}

import { addressOf } from '@pith-mcp/server-kit/clients'
import { isTable, sameData, type Table } from '@pith-mcp/server-kit/files'
import type { PlannedServer } from './plan.ts'

/** A valid name for our files: it becomes part of tool names and of file names. */
export function validName(name: string): string {
  const base = name.replace(/[^a-zA-Z0-9_. -]+/g, '-').replace(/^[^a-zA-Z0-9]+/, '')
  return base.slice(0, 60).trimEnd() || 'server'
}

/** Gives each server a unique name. Identical servers share one. */
export function createNames(existing: Readonly<Record<string, unknown>>) {
  // File names may be case-insensitive.
  const servers = new Map<string, { name: string; entry: unknown; isNew: boolean }>()
  for (const [name, entry] of Object.entries(existing))
    servers.set(name.toLowerCase(), { name, entry, isNew: false })
  return (from: string, entry: Table, client: string): Pick<PlannedServer, 'name' | 'status'> => {
    const base = validName(from)
    for (let count = 0; ; count++) {
      const suffix = count === 0 ? '' : count === 1 ? `-${client}` : `-${client}-${count}`
      const name = base.slice(0, 60 - suffix.length) + suffix
      const namesake = servers.get(name.toLowerCase())
      if (namesake === undefined) {
        servers.set(name.toLowerCase(), { name, entry, isNew: true })
        return { name, status: 'new' }
      }
      if (isSameServer(namesake.entry, entry))
        return { name: namesake.name, status: namesake.isNew ? 'same' : 'existing' }
    }
  }
}

const transports: Readonly<Record<string, string>> = {
  'streamable-http': 'http',
  streamableHttp: 'http',
}

/** Whether two entries mean the same server, in different notations or with different sandboxes. */
export const isSameServer = (a: unknown, b: unknown): boolean =>
  isTable(a) && isTable(b) && sameData(meaningOf(a), meaningOf(b))

function meaningOf(entry: Table): Table {
  const { url: _, serverUrl: __, httpUrl: ___, sandbox: ____, ...settings } = entry
  const { type, enabled, disabled, ...rest } = settings
  const address = addressOf(entry)
  const isOff = enabled === false || disabled === true
  const fields = Object.entries(rest).filter(([, value]) => !isEmpty(value))
  return withPlainVariables({
    ...Object.fromEntries(fields),
    ...(address !== undefined && {
      url: address,
      type: transports[String(type)] ?? type ?? 'http',
    }),
    ...(isOff && { isOff }),
  }) as Table
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** Normalizes `${env:NAME}` to `${NAME}`. */
const withPlainVariables = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/(?<!\$)\$\{env:/g, '${'))

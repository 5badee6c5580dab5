import { isAbsolute, resolve, win32 } from 'node:path'
import { isTable, type Table } from '#base/table'
import type { Client } from './client.ts'
import { literal, translateText } from './dialect.ts'
import { type EntryContext, EntryRefused, type Rule, type RuleContext } from './rules.ts'

/** An unknown setting may be a restriction, which must not be lost. */
const unknownKey: Rule = (_, key, { note }) => {
  if (/tool|allow|den(y|ied)|sandbox|auth|permission|restrict|block|only/i.test(key))
    throw new EntryRefused(`${key} is unknown and may limit what the server can do.`)
  note(`${key} is unknown and is dropped.`)
  return undefined
}

/** Translates an entry of a client to one of aggregator-mcp's configuration. @throws {EntryRefused} */
export function translateEntry(client: Client, raw: unknown, context: EntryContext): Table {
  if (!isTable(raw)) throw new EntryRefused('The entry must be an object.')
  const rules: RuleContext = {
    ...context,
    title: client.title,
    text: (value, field) => translateText(value, field, client.dialect, context),
  }
  let entry: Table = {}
  for (const [key, value] of Object.entries(raw)) {
    if (value === null || value === undefined) continue
    const rule = Object.hasOwn(client.rules, key) ? client.rules[key] : unknownKey
    entry = merged(entry, rule?.(value, key, rules) ?? {})
  }
  entry = { ...entry, ...client.complete?.(entry, context) }
  const isStarted = typeof entry['command'] === 'string' && entry['command'] !== ''
  if (!isStarted && addressOf(entry) === undefined)
    throw new EntryRefused('The entry has neither a command nor a url.')
  const settled = isStarted ? { ...entry, ...resolvedPaths(entry, context) } : entry
  return Object.fromEntries(Object.entries(settled).filter(([, value]) => value !== undefined))
}

/** Two keys of a client may map to one of ours, such as `env` and `env_vars`. */
function merged(entry: Table, more: Table): Table {
  const result = { ...entry }
  for (const [key, value] of Object.entries(more)) {
    const current = result[key]
    result[key] = isTable(current) && isTable(value) ? { ...current, ...value } : value
  }
  return result
}

export const addressOf = (entry: Table): string | undefined =>
  [entry['url'], entry['serverUrl'], entry['httpUrl']].find((url) => typeof url === 'string')

/** Make relative paths absolute: the aggregator runs in another folder than the client. */
function resolvedPaths(entry: Table, { location: { folder } }: EntryContext): Table {
  const command = String(entry['command'])
  const cwd = typeof entry['cwd'] === 'string' ? entry['cwd'] : undefined
  const isPath = /[/\\]/.test(command)
  if (folder === undefined) {
    for (const [name, path] of [
      ['cwd', cwd] as const,
      ['command', isPath ? command : undefined] as const,
    ])
      if (path !== undefined && !isSettled(path))
        throw new EntryRefused(
          `Its ${name} is relative to the folder the client starts in, which a user-wide entry does not have.`,
        )
    return {}
  }
  const base = cwd === undefined || !isSettled(cwd) ? literal(resolve(folder, cwd ?? '.')) : cwd
  return {
    cwd: base,
    ...(isPath && !isSettled(command) && { command: resolve(base, command) }),
  }
}

/** Paths that begin with `~` or a variable count as absolute. */
const isSettled = (path: string): boolean =>
  isAbsolute(path) || win32.isAbsolute(path) || /^(?:~|\$\{)/.test(path)

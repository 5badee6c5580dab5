import { isAbsolute, resolve, win32 } from 'node:path'
import { isTable, type Table } from '@pith-mcp/setup/files'
import type { Client } from './client.ts'
import type { EntryContext } from './entry-context.ts'
import { NotMoved } from './not-moved.ts'
import type { Rule, RuleContext } from './rules.ts'
import { literal, translateText } from './translate-text.ts'

/** What a client says that we have never heard of may be a limit. */
const unknownKey: Rule = (_, key, { note }) => {
  if (/tool|allow|den(y|ied)|sandbox|auth|permission|restrict|block|only/i.test(key))
    throw new NotMoved(`${key} is not known here and may limit what the server can do`)
  note(`${key} is not known here and is left out`)
  return undefined
}

/** An entry of a client as one of ours. @throws {NotMoved} */
export function translateEntry(client: Client, raw: unknown, context: EntryContext): Table {
  if (!isTable(raw)) throw new NotMoved('it is no object')
  const rules: RuleContext = {
    ...context,
    title: client.title,
    text: (value, field) => translateText(value, field, client, context),
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
    throw new NotMoved('it has neither a command nor a url')
  const settled = isStarted ? { ...entry, ...inItsFolder(entry, context) } : entry
  return Object.fromEntries(Object.entries(settled).filter(([, value]) => value !== undefined))
}

/** Two keys of a client may be one of ours: `env` and `env_vars`. */
function merged(entry: Table, more: Table): Table {
  const result = { ...entry }
  for (const [key, value] of Object.entries(more)) {
    const known = result[key]
    result[key] = isTable(known) && isTable(value) ? { ...known, ...value } : value
  }
  return result
}

export const addressOf = (entry: Table): string | undefined =>
  [entry['url'], entry['serverUrl'], entry['httpUrl']].find((url) => typeof url === 'string')

/** Where it was started, in words that do not depend on where the aggregator is. */
function inItsFolder(entry: Table, { place: { folder } }: EntryContext): Table {
  const command = String(entry['command'])
  const cwd = typeof entry['cwd'] === 'string' ? entry['cwd'] : undefined
  const isPath = /[/\\]/.test(command)
  if (folder === undefined) {
    for (const [name, path] of [
      ['cwd', cwd] as const,
      ['command', isPath ? command : undefined] as const,
    ])
      if (path !== undefined && !isSettled(path))
        throw new NotMoved(
          `its ${name} is taken from the folder the client is started in; a user-wide entry has no folder of its own`,
        )
    return {}
  }
  const base = cwd === undefined || !isSettled(cwd) ? literal(resolve(folder, cwd ?? '.')) : cwd
  return {
    cwd: base,
    ...(isPath && !isSettled(command) && { command: resolve(base, command) }),
  }
}

/** `~` and variables at the beginning are left to whoever reads them. */
const isSettled = (path: string): boolean =>
  isAbsolute(path) || win32.isAbsolute(path) || /^(?:~|\$\{)/.test(path)

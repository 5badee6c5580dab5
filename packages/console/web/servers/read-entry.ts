import { describeJsonError } from '../text/json-error.ts'

type EntryType = 'command' | 'url' | 'json'

export interface EntryDraft {
  type: EntryType
  name: string
  command: string
  /** Lines of NAME=value. */
  env: string
  url: string
  /** Lines of Name: value. */
  headers: string
  json: string
}

export interface ReadEntry {
  name: string
  entry: Record<string, unknown>
}

/** The entries that a draft describes. @throws {Error} with a message for the user */
export function readEntry(draft: EntryDraft): ReadEntry[] {
  if (draft.type === 'json') return readJson(draft)
  const name = draft.name.trim()
  if (!name) throw new Error('Enter a name.')
  if (draft.type === 'url') {
    if (!/^https?:\/\//i.test(draft.url))
      throw new Error('The URL must begin with https:// or http://.')
    const headers = readLines(draft.headers, ':')
    return [{ name, entry: { type: 'http', url: draft.url.trim(), ...(headers && { headers }) } }]
  }
  const [command, ...args] = splitCommand(draft.command)
  if (!command) throw new Error('Enter the command that starts the server.')
  const env = readLines(draft.env, '=')
  return [{ name, entry: { command, ...(args.length > 0 && { args }), ...(env && { env }) } }]
}

/** The words of a command line. Supports quotes; expands nothing. */
function splitCommand(line: string): string[] {
  const words = line.matchAll(/(?:"((?:\\.|[^"\\])*)"|'([^']*)'|[^\s"']+)+/g)
  return Array.from(words, ([word]) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_all, double?: string, single?: string) =>
      double === undefined ? (single ?? '') : double.replace(/\\(["\\])/g, '$1'),
    ),
  )
}

function readLines(text: string, separator: string): Record<string, string> | undefined {
  const pairs = text
    .split('\n')
    .filter((line) => line.trim())
    .map((line): [string, string] => {
      const at = line.indexOf(separator)
      if (at < 1) throw new Error(`"${line}" must have the form NAME${separator}value.`)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    })
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Accepts `{"mcpServers": {…}}`, `{"name": {…}}` and a single entry. */
function readJson({ json, name }: EntryDraft): ReadEntry[] {
  const value = parse(json)
  if (typeof value['command'] === 'string' || typeof value['url'] === 'string') {
    if (!name.trim()) throw new Error('The entry has no name. Enter one.')
    return [{ name: name.trim(), entry: value }]
  }
  const servers = value['mcpServers'] ?? value['servers'] ?? value
  if (!isRecord(servers)) throw new Error('"mcpServers" must be an object.')
  const entries = Object.entries(servers)
  if (entries.length === 0) throw new Error('The JSON contains no server.')
  return entries.map(([key, entry]) => {
    if (!isRecord(entry)) throw new Error(`"${key}" is not a server entry.`)
    return { name: entries.length === 1 && name.trim() ? name.trim() : key, entry }
  })
}

function parse(json: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw new Error(describeJsonError(json, cause))
  }
  if (!isRecord(value)) throw new Error('Enter an object, such as {"mcpServers": {…}}.')
  return value
}

type EntryWay = 'command' | 'url' | 'json'

export interface EntryDraft {
  way: EntryWay
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

/** The entries that a draft describes. Throws an `Error` that says what is wrong. */
export function readEntry(draft: EntryDraft): ReadEntry[] {
  if (draft.way === 'json') return readJson(draft)
  const name = draft.name.trim()
  if (!name) throw new Error('Give it a name.')
  if (draft.way === 'url') {
    if (!/^https?:\/\//i.test(draft.url))
      throw new Error('The URL has to begin with https:// or http://.')
    const headers = readLines(draft.headers, ':')
    return [{ name, entry: { type: 'http', url: draft.url.trim(), ...(headers && { headers }) } }]
  }
  const [command, ...args] = splitCommand(draft.command)
  if (!command) throw new Error('Give the command that starts it.')
  const env = readLines(draft.env, '=')
  return [{ name, entry: { command, ...(args.length > 0 && { args }), ...(env && { env }) } }]
}

/** The words of a command line; quotes hold words together, and nothing is replaced. */
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
      if (at < 1) throw new Error(`"${line}" is not of the form NAME${separator}value.`)
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    })
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As clients keep them: `{"mcpServers": {…}}`, `{"name": {…}}`, or one entry by itself. */
function readJson({ json, name }: EntryDraft): ReadEntry[] {
  const value = parse(json)
  if (typeof value['command'] === 'string' || typeof value['url'] === 'string') {
    if (!name.trim()) throw new Error('The entry has no name. Give it one.')
    return [{ name: name.trim(), entry: value }]
  }
  const servers = value['mcpServers'] ?? value['servers'] ?? value
  if (!isRecord(servers)) throw new Error('"mcpServers" has to be an object.')
  const entries = Object.entries(servers)
  if (entries.length === 0) throw new Error('There is no server in it.')
  return entries.map(([key, entry]) => {
    if (!isRecord(entry)) throw new Error(`"${key}" is no entry of a server.`)
    return { name: entries.length === 1 && name.trim() ? name.trim() : key, entry }
  })
}

function parse(json: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (cause) {
    throw new Error(`This is not JSON: ${(cause as Error).message}`)
  }
  if (!isRecord(value)) throw new Error('Paste an object: {"mcpServers": {…}}.')
  return value
}

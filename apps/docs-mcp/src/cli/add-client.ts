import { copyFile, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyEdits, modify, type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml, stringify } from 'smol-toml'
import { UsageError } from '../settings.ts'
import { type ClientConfig, clients } from './clients.ts'

export const clientNames: readonly string[] = Object.keys(clients)

export interface AddOptions {
  /** Put before the sources: options of the server. */
  flags?: readonly string[]
  /** Of the server in the client. Default `docs`. */
  name?: string
  /** Say what would be written, and write nothing. */
  print: boolean
}

/**
 * Enter this server into the configuration of a client; the file as it was is kept beside it.
 * Comments and everything else in it stay as they are.
 *
 * @throws {UsageError} for an unknown client, or a file that is not what it should be.
 */
export async function addClient(
  client: string,
  sources: readonly string[],
  { name = 'docs', print, flags = [] }: AddOptions,
): Promise<string> {
  const config = clients[client]
  if (!config)
    throw new UsageError(
      `add: there is no client ${JSON.stringify(client)}: ${clientNames.join(', ')}.`,
    )
  if (!/^[\w-]{1,40}$/.test(name))
    throw new UsageError(`--name ${name}: letters, digits, _ and - only, at most 40.`)
  // A configuration may be a link to where its owner keeps it.
  const named = resolve(config.path())
  const path = await realpath(named).catch(() => named)
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} could not be read: ${error.code}.`)
  })
  const server = {
    ...(config.type && { type: config.type }),
    ...command(),
    args: [...command().args, ...flags, ...sources.map(absolute)],
  }
  const after =
    config.format === 'json'
      ? withJson(path, before, config, name, server)
      : withToml(path, before, config, name, server)
  if (print) return `${path}\n\n${after}`
  if (before === after) return `${path} has the server ${name} already.`
  await mkdir(dirname(path), { recursive: true })
  const backup = before === undefined ? undefined : `${path}.${stamp()}.bak`
  if (backup) await copyFile(path, backup)
  // Written beside and renamed: a client never reads half of it.
  const mode = await stat(path).then(
    (stats) => stats.mode & 0o777,
    () => 0o600,
  )
  await rm(`${path}.new`, { force: true })
  await writeFile(`${path}.new`, after, { mode })
  await rename(`${path}.new`, path)
  return `${path}: added ${name}.${backup ? ` The file as it was: ${backup}` : ''}\nRestart ${client} to use it.`
}

/** This very program: there is no need of a name on the path. */
function command(): { command: string; args: string[] } {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL('../main.js', import.meta.url))],
  }
}

const absolute = (source: string): string =>
  /^(?:https?|file):/i.test(source) ? source : resolve(source)

function withJson(
  path: string,
  before: string | undefined,
  { key }: ClientConfig,
  name: string,
  server: object,
): string {
  const mark = before?.startsWith('\uFEFF') ? '\uFEFF' : ''
  const plain = (before ?? '').slice(mark.length)
  const text = plain.trim() === '' ? '{}\n' : plain
  const errors: ParseError[] = []
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${path} is not a JSON object; it was left as it is.`)
  const known = (value as Record<string, unknown>)[key]
  if (known !== undefined && !isTable(known))
    throw new UsageError(`${path}: ${key} is not an object; it was left as it is.`)
  const edits = modify(text, [key, name], server, {
    formattingOptions: { insertSpaces: true, tabSize: 2, insertFinalNewline: true },
  })
  return mark + applyEdits(text, edits)
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Appended, so that comments stay; a table that is there already is for its owner to change. */
function withToml(
  path: string,
  before: string | undefined,
  { key }: ClientConfig,
  name: string,
  server: object,
): string {
  const text = before ?? ''
  const servers = parsed(text)?.[key] ?? {}
  if (!parsed(text)) throw new UsageError(`${path} is not valid TOML; it was left as it is.`)
  const known = isTable(servers) ? servers[name] : undefined
  const table = stringify({ [key]: { [name]: server } })
  if (JSON.stringify(known) === JSON.stringify(server)) return text
  if (known !== undefined)
    throw new UsageError(
      `${path} has another server called ${name}: remove it there, or pass another --name.`,
    )
  const after = `${text}${text === '' || text.endsWith('\n\n') ? '' : '\n'}${table}`
  // A table that is written in one line cannot be added to.
  if (!parsed(after))
    throw new UsageError(
      `${path} was left as it is: ${key} in it cannot be added to. Enter this by hand:\n\n${table}`,
    )
  return after
}

function parsed(toml: string): Record<string, unknown> | undefined {
  try {
    return parseToml(toml)
  } catch {
    return undefined
  }
}

const stamp = (): string => new Date().toISOString().replace(/[-:]|\.\d+Z$/g, '')

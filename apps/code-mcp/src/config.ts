import { parseArgs } from 'node:util'
import { readSettings, type Settings, UsageError } from './settings.ts'

/** Commands that query files. */
const questions = ['list', 'show', 'find', 'files'] as const
export type Question = (typeof questions)[number]

export const commands = [...questions, 'add'] as const

export interface Config {
  command: 'serve' | 'help' | 'version' | 'add' | Question
  /** Arguments after the command; for `serve`, the folders. */
  positionals: string[]
  settings: Settings
  roots: string[]
  json: boolean
  page: string | undefined
  line: number | undefined
  within: string | undefined
  name: string | undefined
  print: boolean
  force: boolean
  /** For all folders of the user. */
  user: boolean
  /** The flags of the command line that the server understands. */
  serverFlags: string[]
}

/** Parse a command line, without node and script. @throws {UsageError} */
export function parseConfig(argv: readonly string[], environment = process.env): Config {
  const { values, positionals } = readArguments(argv)
  const [first, ...rest] = positionals
  const named = commands.find((name) => name === first)
  const command = values.help ? 'help' : values.version ? 'version' : (named ?? 'serve')
  const isInfo = command === 'help' || command === 'version'
  const line = values.line === undefined ? undefined : Number(values.line)
  if (line !== undefined && !(Number.isInteger(line) && line > 0))
    throw new UsageError(`--line must be a line number from 1, got ${JSON.stringify(values.line)}.`)
  const flags = {
    pageSize: values['page-size'],
    pageOver: values['page-over'],
    locale: values.locale,
    maxParseMb: values['max-parse-mb'],
    parseTimeout: values['parse-timeout'],
    searchWait: values['search-wait'],
    structuredContent: values['structured-content'],
  }
  return {
    command,
    positionals: named ? rest : positionals,
    settings: readSettings(isInfo ? {} : flags, isInfo ? {} : environment),
    roots: values.root ?? [],
    json: values.json ?? false,
    page: values.page,
    line,
    within: values.path,
    name: values.name,
    print: values.print ?? false,
    force: values.force ?? false,
    user: values.user ?? false,
    serverFlags: flagsOf(values),
  }
}

const serverFlags = [
  'page-size',
  'page-over',
  'locale',
  'max-parse-mb',
  'parse-timeout',
  'search-wait',
  'structured-content',
]

function flagsOf(values: Readonly<Record<string, unknown>>): string[] {
  return serverFlags.flatMap((name) => {
    const value = values[name]
    if (value === true) return [`--${name}`]
    return typeof value === 'string' ? [`--${name}`, value] : []
  })
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        json: { type: 'boolean' },
        root: { type: 'string', multiple: true },
        page: { type: 'string' },
        line: { type: 'string' },
        path: { type: 'string' },
        name: { type: 'string' },
        print: { type: 'boolean' },
        force: { type: 'boolean' },
        user: { type: 'boolean' },
        'page-size': { type: 'string' },
        'page-over': { type: 'string' },
        locale: { type: 'string' },
        'max-parse-mb': { type: 'string' },
        'parse-timeout': { type: 'string' },
        'search-wait': { type: 'string' },
        'structured-content': { type: 'boolean' },
      },
    })
  } catch (error) {
    // Node appends advice for arguments that begin with a dash.
    throw new UsageError(String((error as Error).message).replace(/\. To specify [\s\S]*/, '.'))
  }
}
